import type { Config } from '#server/config.ts';

const policy = (parts: Record<string, string>) =>
  Object.entries(parts)
    .map(([directive, sources]) => `${directive} ${sources}`.trim())
    .join('; ');

const own = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' blob: data:",
  'connect-src': "'self'",
  'font-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
  'object-src': "'none'",
};

/** The headers of every answer by its kind (docs/security.md E7). */
export function securityHeaders({ publicUrl, signUrl }: Pick<Config, 'publicUrl' | 'signUrl'>) {
  const everywhere = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(publicUrl.protocol === 'https:' && {
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    }),
  };
  return {
    /** Own scripts and styles, nothing inline, no markup from text; calls to us and the signature server. */
    page: {
      ...everywhere,
      'cache-control': 'no-store',
      'content-security-policy': policy({
        ...own,
        ...(signUrl && { 'connect-src': `'self' ${signUrl.origin}` }),
        'require-trusted-types-for': "'script'",
        'report-uri': '/cspreport',
      }),
    },
    /** Calls: browsers neither render nor keep an answer. */
    call: {
      ...everywhere,
      'cache-control': 'no-store',
      'content-security-policy': policy({
        'default-src': "'none'",
        'frame-ancestors': "'none'",
        sandbox: '',
      }),
    },
    /** Pages that the server writes itself: own styles, and no script. */
    plain: {
      ...everywhere,
      'cache-control': 'no-store',
      'content-security-policy': policy({
        'default-src': "'none'",
        'style-src': "'self'",
        'img-src': "'self' data:",
        'frame-src': "'self'",
        'base-uri': "'none'",
        'form-action': "'none'",
        'frame-ancestors': "'none'",
      }),
    },
    asset: everywhere,
  };
}
export type SecurityHeaders = ReturnType<typeof securityHeaders>;
