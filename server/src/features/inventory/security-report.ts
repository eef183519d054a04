import { closed, Instant, nullable, Type, text } from '../../platform/schema.ts'

const told = (example: string, description?: string) => nullable(text(255, example, description))
const known = (example: boolean, description?: string) =>
  nullable(Type.Boolean({ examples: [example], ...(description && { description }) }))

export const AntivirusInfo = closed(
  {
    name: told('Contoso Defender'),
    version: told('4.18.24010.7'),
    isEnabled: known(true, 'Files are checked when they are used'),
    isUpToDate: known(true),
    definitionsDateUtc: nullable(Instant),
  },
  { title: 'AntivirusInfo' },
)

export const FirewallStatus = closed(
  {
    name: told('Windows Firewall', 'Under Linux ufw, firewalld or nftables'),
    isEnabled: known(true),
    domainProfileEnabled: known(true, 'Profiles are known to Windows only'),
    privateProfileEnabled: known(true),
    publicProfileEnabled: known(true),
  },
  { title: 'FirewallStatus' },
)

export const SecureBootStatus = closed(
  { isSupported: known(true, 'False on computers that boot without UEFI'), isEnabled: known(true) },
  { title: 'SecureBootStatus' },
)

export const ScriptPolicyStatus = closed(
  {
    name: told('PowerShell', 'What decides which programs may run: PowerShell, SELinux or AppArmor'),
    policy: told('RemoteSigned', 'Its setting: an execution policy, or the mode under Linux'),
  },
  { title: 'ScriptPolicyStatus' },
)

export const SecurityReport = closed(
  {
    antivirus: AntivirusInfo,
    firewall: FirewallStatus,
    secureBoot: SecureBootStatus,
    scriptPolicy: ScriptPolicyStatus,
  },
  { title: 'SecurityReport' },
)
