import { SecurityReport } from '../security-report.ts'
import { objectSection, recordChanges } from './section.ts'

export const securitySection = objectSection('security', SecurityReport, (computerId, report) => {
  const { antivirus, firewall, secureBoot, scriptPolicy } = report
  const ctes = recordChanges('security_records', computerId, {
    antivirus_name: antivirus.name,
    antivirus_version: antivirus.version,
    antivirus_enabled: antivirus.isEnabled,
    antivirus_up_to_date: antivirus.isUpToDate,
    antivirus_definitions_at: antivirus.definitionsDateUtc,
    firewall_name: firewall.name,
    firewall_enabled: firewall.isEnabled,
    firewall_domain_enabled: firewall.domainProfileEnabled,
    firewall_private_enabled: firewall.privateProfileEnabled,
    firewall_public_enabled: firewall.publicProfileEnabled,
    secure_boot_supported: secureBoot.isSupported,
    secure_boot_enabled: secureBoot.isEnabled,
    script_policy_name: scriptPolicy.name,
    script_policy: scriptPolicy.policy,
  })
  return { ctes }
})
