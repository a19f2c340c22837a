// A rule for pages that the browser translates. It replaces each text by elements of its own, and React then cannot remove
// the text, or put something before it. A text that stands alone in an element is safe: React sets its content anew.

const expressionOf = (child) => (child.type === 'JSXExpressionContainer' ? child.expression : child);
const isBlank = (child) =>
  (child.type === 'JSXText' && child.value.trim() === '') ||
  expressionOf(child).type === 'JSXEmptyExpression';
/** A fragment has no element of its own. */
const shownOf = (children) =>
  children.flatMap((child) =>
    child.type === 'JSXFragment' ? shownOf(child.children) : isBlank(child) ? [] : [child],
  );

const listCalls = new Set(['map', 'flatMap', 'filter']);
/** Shows now this, now that, or nothing. */
const isConditional = (child) => {
  const { type, callee } = expressionOf(child);
  if (type === 'CallExpression')
    return callee.type === 'MemberExpression' && listCalls.has(callee.property.name);
  return type === 'ConditionalExpression' || type === 'LogicalExpression';
};

/** Whether an expression may be text, as far as its name tells; anything else may be an element. */
function mayBeText(node) {
  switch (node.type) {
    case 'JSXText':
    case 'TemplateLiteral':
      return true;
    case 'Literal':
      return typeof node.value === 'string' || typeof node.value === 'number';
    case 'ConditionalExpression':
      return mayBeText(node.consequent) || mayBeText(node.alternate);
    case 'LogicalExpression':
      return mayBeText(node.right);
    case 'Identifier':
      return /(text|name|label|title|count|email)$/i.test(node.name);
    case 'BinaryExpression':
      return node.operator === '+';
    case 'CallExpression':
      return mayBeText(node.callee);
    case 'MemberExpression': {
      let root = node.object;
      while (root.type === 'MemberExpression') root = root.object;
      return root.type === 'Identifier' && /^text$|Text$/.test(root.name);
    }
    default:
      return false;
  }
}

const rule = {
  meta: { type: 'problem' },
  create(context) {
    const check = ({ children }) => {
      const shown = shownOf(children);
      if (shown.length < 2 || !shown.some(isConditional)) return;
      for (const child of shown)
        if (mayBeText(expressionOf(child)))
          context.report({
            node: child,
            message:
              'A text beside something conditional breaks on a translated page: put it into an element of its own.',
          });
    };
    return { JSXElement: check, JSXFragment: check };
  },
};

export default { meta: { name: 'portico' }, rules: { 'translated-pages': rule } };
