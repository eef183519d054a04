import { closed, Instant, nullable, Type, text } from '../../platform/schema.ts'

const reportedText = (description: string, example: string) => nullable(text(255, example, description))
const reportedFlag = (description: string) => nullable(Type.Boolean({ examples: [true], description }))

export const AntivirusInfo = closed(
  {
    name: reportedText('Name of the product', 'Contoso Defender'),
    version: reportedText('Version of the product', '4.18.24010.7'),
    isEnabled: reportedFlag('Real-time protection is on'),
    isUpToDate: reportedFlag('The definitions are up to date'),
    definitionsDateUtc: nullable({ ...Instant, description: 'When the definitions were published' }),
  },
  { title: 'AntivirusInfo' },
)

export const FirewallStatus = closed(
  {
    name: reportedText('Name of the firewall; under Linux ufw, firewalld or nftables', 'Windows Firewall'),
    isEnabled: reportedFlag('The firewall is on, in all of its profiles'),
    domainProfileEnabled: reportedFlag('The domain profile is on; only Windows has profiles'),
    privateProfileEnabled: reportedFlag('The private profile is on'),
    publicProfileEnabled: reportedFlag('The public profile is on'),
  },
  { title: 'FirewallStatus' },
)

export const SecureBootStatus = closed(
  {
    isSupported: reportedFlag('The firmware supports Secure Boot; false on computers that boot without UEFI'),
    isEnabled: reportedFlag('Secure Boot is on'),
  },
  { title: 'SecureBootStatus' },
)

export const ScriptPolicyStatus = closed(
  {
    name: reportedText('What decides which programs may run: PowerShell, SELinux or AppArmor', 'PowerShell'),
    policy: reportedText('Its setting: an execution policy, or the mode under Linux', 'RemoteSigned'),
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
