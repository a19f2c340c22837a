export { ChooseOrganization } from './choose-organization.tsx';
export { CompanyStep } from './company-step.tsx';
export { ConfirmForm } from './confirm-form.tsx';
