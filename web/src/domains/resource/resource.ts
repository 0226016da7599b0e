/** Rules of applications as the pages show them; the server holds them too. */
import {
  ACCOUNT_LIMITS,
  PHONE_PATTERN,
  PRIVATE_KEY_PATTERN,
  RESOURCE_LIMITS,
  ResourceApplyStatus,
  SSH_ADDRESS_PATTERN,
  SSH_USERNAME_PATTERN,
  TEXT_LIMITS,
  type BodyInputOf,
  type ResourceApplication,
  type ResourceCredentials,
  type ResourceState,
  type User,
  type routes,
} from '@hypercube/contract';
import type { Catalogue } from '@hypercube/messages';

const STATES: Readonly<Record<ResourceApplyStatus, ResourceState>> = {
  [ResourceApplyStatus.pending]: 'pending',
  [ResourceApplyStatus.approved]: 'approved',
  [ResourceApplyStatus.rejected]: 'rejected',
};

/** A state as addresses and texts name it. */
export const stateOf = (status: ResourceApplyStatus): ResourceState => STATES[status];

/** An application as it stands in the fields: everything is text. */
export interface ResourceValues {
  readonly ApplicantName: string;
  readonly Organisation: string;
  readonly Phone: string;
  readonly Email: string;
  readonly Project: string;
  readonly CentreID: string;
  readonly CpuHours: string;
  readonly Purpose: string;
  /** Empty: no particular one. */
  readonly SoftwareID: string;
}

/** What a new application begins with: what the account says. */
export const newValuesOf = (user: User, centreIDs: readonly number[]): ResourceValues => ({
  ApplicantName: user.RealName ?? '',
  Organisation: user.Organisation ?? '',
  Phone: user.Phone ?? '',
  Email: user.Email,
  Project: '',
  // Where there is one only, nobody has to choose it.
  CentreID: centreIDs.length === 1 ? String(centreIDs[0]) : '',
  CpuHours: '',
  Purpose: '',
  SoftwareID: '',
});

export const valuesOf = (application: ResourceApplication): ResourceValues => ({
  ApplicantName: application.ApplicantName,
  Organisation: application.Organisation,
  Phone: application.Phone,
  Email: application.Email,
  Project: application.Project,
  CentreID: String(application.Centre.ID),
  CpuHours: String(application.CpuHours),
  Purpose: application.Purpose,
  SoftwareID: application.Software === null ? '' : String(application.Software.ID),
});

export const bodyOf = (values: ResourceValues): BodyInputOf<typeof routes.createResource> => ({
  ApplicantName: values.ApplicantName.trim(),
  Organisation: values.Organisation.trim(),
  Phone: values.Phone.trim(),
  Email: values.Email.trim(),
  Project: values.Project.trim(),
  CentreID: Number(values.CentreID),
  CpuHours: Number(values.CpuHours),
  Purpose: values.Purpose.trim(),
  ...(values.SoftwareID === '' ? {} : { SoftwareID: Number(values.SoftwareID) }),
});

/** Code points, as the server counts characters. */
const lengthOf = (text: string): number => Array.from(text).length;
/** Near enough for a form; the server knows better. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const within = (text: string, min: number, max: number): boolean =>
  /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max;

/** What is wrong with an application, by field. */
export function resourceErrors(
  values: ResourceValues,
  messages: Catalogue,
): Partial<Record<keyof ResourceValues, string>> {
  const { form, resource: words } = messages;
  const errors: Partial<Record<keyof ResourceValues, string>> = {};
  const check = (
    field: keyof ResourceValues,
    label: string,
    max: number,
    isValid: (text: string) => boolean = () => true,
  ): void => {
    const text = values[field].trim();
    if (text === '') errors[field] = form.required(label);
    else if (lengthOf(text) > max) errors[field] = form.tooLong(label, max);
    else if (!isValid(text)) errors[field] = form.invalid(label);
  };
  // In the order of the fields, which is that of the summary.
  check('Project', words.project, TEXT_LIMITS.resourceTitle);
  check('CentreID', words.centre, 10);
  const { cpuHoursMin, cpuHoursMax } = RESOURCE_LIMITS;
  if (values.CpuHours.trim() === '') errors.CpuHours = form.required(words.cpuHours);
  else if (!within(values.CpuHours.trim(), cpuHoursMin, cpuHoursMax))
    errors.CpuHours = form.outOfRange(
      words.cpuHours,
      cpuHoursMin.toLocaleString('en-US'),
      cpuHoursMax.toLocaleString('en-US'),
    );
  check('Purpose', words.purpose, TEXT_LIMITS.resourcePurpose);
  check('ApplicantName', words.applicantName, TEXT_LIMITS.realName);
  check('Organisation', words.organisation, ACCOUNT_LIMITS.organisationMax);
  check('Phone', words.phone, 16, (text) => PHONE_PATTERN.test(text));
  check('Email', words.email, ACCOUNT_LIMITS.emailMax, (text) => EMAIL.test(text));
  return errors;
}

/** Account information as it stands in the fields. */
export type CredentialValues = Readonly<Record<keyof ResourceCredentials, string>>;

export const EMPTY_CREDENTIALS: CredentialValues = {
  VpnUsername: '',
  VpnPassword: '',
  SshAddress: '',
  SshPort: '22',
  SshUsername: '',
  SshPassword: '',
  SshPrivateKey: '',
};

export const credentialValuesOf = (credentials: ResourceCredentials): CredentialValues => ({
  ...credentials,
  SshPort: String(credentials.SshPort),
});

export const credentialsOf = (values: CredentialValues): ResourceCredentials => ({
  VpnUsername: values.VpnUsername,
  VpnPassword: values.VpnPassword,
  SshAddress: values.SshAddress.trim(),
  SshPort: Number(values.SshPort),
  SshUsername: values.SshUsername.trim(),
  SshPassword: values.SshPassword,
  SshPrivateKey: values.SshPrivateKey.trim(),
});

const PORT_MAX = 65_535;

/** What is wrong with account information, by field. */
export function credentialErrors(
  values: CredentialValues,
  messages: Catalogue,
): Partial<Record<keyof ResourceCredentials, string>> {
  const { form, resource: words } = messages;
  const errors: Partial<Record<keyof ResourceCredentials, string>> = {};
  const address = values.SshAddress.trim();
  if (address === '') errors.SshAddress = form.required(words.sshAddress);
  else if (!SSH_ADDRESS_PATTERN.test(address)) errors.SshAddress = form.invalid(words.sshAddress);
  if (!within(values.SshPort.trim(), 1, PORT_MAX))
    errors.SshPort = form.outOfRange(words.sshPort, '1', String(PORT_MAX));
  const username = values.SshUsername.trim();
  if (username === '') errors.SshUsername = form.required(words.sshUsername);
  else if (!SSH_USERNAME_PATTERN.test(username))
    errors.SshUsername = form.invalid(words.sshUsername);
  const key = values.SshPrivateKey.trim();
  if (key !== '' && !PRIVATE_KEY_PATTERN.test(key)) errors.SshPrivateKey = words.keyFormat;
  if (key === '' && values.SshPassword === '') errors.SshPassword = words.wayIn;
  const lines = {
    VpnUsername: words.vpnUsername,
    VpnPassword: words.vpnPassword,
    SshUsername: words.sshUsername,
    SshPassword: words.sshPassword,
  };
  for (const field of ['VpnUsername', 'VpnPassword', 'SshUsername', 'SshPassword'] as const)
    if (lengthOf(values[field]) > RESOURCE_LIMITS.secret)
      errors[field] = form.tooLong(lines[field], RESOURCE_LIMITS.secret);
  return errors;
}

/** What somebody types to log in. */
export const sshCommandOf = ({ SshAddress, SshPort, SshUsername }: ResourceCredentials): string =>
  SshPort === 22
    ? `ssh ${SshUsername}@${SshAddress}`
    : `ssh -p ${SshPort} ${SshUsername}@${SshAddress}`;
