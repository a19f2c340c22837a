/** Business constants (specification section 9), with the unit in each name. */
export const UPLOAD_MAX_MB = 5;
export const UPLOAD_MAX_BYTES = UPLOAD_MAX_MB * 1024 * 1024;
/** The largest picture that the server re-encodes; pages send far fewer pixels. */
export const PICTURE_MAX_MEGAPIXELS = { confirmed: 25, unconfirmed: 4 } as const;
/** Stored pictures are squares of at most this many pixels per side. */
export const IMAGE_SIDE_MAX = 512;
export const CROP_ASPECT_RATIO = 1;
export const CROP_JPEG_QUALITY = 0.9;
export const UPLOAD_PERMISSION = 1;

export const EMPLOYEE_COUNT_MAX = 100_000;
export const APPLICATION_NAME_MAX_LETTERS = 8;
export const PASSWORD_MIN_CHARACTERS = 8;
export const PASSWORD_MAX_CHARACTERS = 128;
export const OTP_CHARACTERS = 6;
export const EMAIL_MAX_CHARACTERS = 254;
export const NAME_MAX_CHARACTERS = 80;
export const TEXT_MAX_CHARACTERS = 500;
export const WEBSITE_MAX_CHARACTERS = 200;
export const PHONE_MAX_CHARACTERS = 30;

export const ALERT_SHOWN_MS = 5000;
export const ALERTS_AT_ONCE = 3;
export const BEACON_THROTTLE_SECONDS = 60;
export const RESEND_WAIT_SECONDS = 30;
export const SOCIAL_POPUP_PIXELS = { width: 600, height: 700 } as const;
export const POPUP_POLL_MS = 1000;

export const DELETION_GRACE_DAYS = 60;
export const RESTRICTION_HOURS = 24;
export const INVITATION_DAYS = 7;
export const CONFIRMATION_HOURS = 24;
export const RESET_MINUTES = 30;
export const CHALLENGE_MINUTES = 10;
export const NOT_ME_DAYS = 7;
/** An archive of a person's or an organization's data can be downloaded for so long. */
export const DATA_EXPORT_DAYS = 7;
export const DATA_EXPORTS_PER_DAY = 3;
export const EMAIL_CHANGE_HOURS = 24;
export const EMAIL_UNDO_DAYS = 7;
export const REDIRECT_CODE_SECONDS = 60;
export const APPLICATIONS_PER_ORGANIZATION_MAX = 50;
export const WEBHOOKS_PER_ORGANIZATION_MAX = 10;
export const DOMAINS_PER_ORGANIZATION_MAX = 20;
export const DIRECTORY_TOKENS_PER_ORGANIZATION_MAX = 2;
export const DIRECTORY_GROUPS_PER_ORGANIZATION_MAX = 200;
/** A proof ends when its record has been gone for so long. */
export const DOMAIN_MISSING_DAYS = 7;
/** A request to join ends unanswered. */
export const JOIN_REQUEST_DAYS = 30;
export const PASSKEYS_PER_USER_MAX = 20;
/** The time from the request for a passkey until the browser's answer. */
export const PASSKEY_MINUTES = 10;
/** The time to copy the secret into an authenticator app and to type its first code. */
export const AUTHENTICATOR_SETUP_MINUTES = 30;
export const RECOVERY_CODES = 10;
export const REMEMBERED_DAYS = 30;
/** A rotated secret of an application stays valid for this long beside its successor. */
export const SECRET_OVERLAP_HOURS = 24;
export const KNOWN_DEVICE_DAYS = 180;
export const SESSIONS_PER_USER_MAX = 20;
export const NOTIFICATIONS_PAGE = 20;
/** Security notifications and all others are counted separately, so that neither pushes the other out. */
export const NOTIFICATIONS_PER_USER_MAX = 200;
export const NOTIFICATION_DAYS = 180;
export const MEMBERS_IN_INIT_MAX = 100;
export const MEMBERS_PAGE_MAX = 100;
export const ACTIVITY_PAGE_MAX = 200;
export const JSON_BODY_MAX_BYTES = 65_536;

export const PLAN = 'Professional Plan';
export const PRODUCT_NAME = 'Portico';
/** Begins the names of cookies, headers, storage keys and metrics. Clients know these, so a new product name does not change it. */
export const WIRE_NAME = 'portico';
export const DEFAULT_COUNTRY = 'United States';
