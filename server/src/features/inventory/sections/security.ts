import { SecurityReport } from '../security-report.ts'
import { objectSection } from './section.ts'

export const securitySection = objectSection('security', SecurityReport, async (db, computerId, report) => {
  const { antivirus, firewall, secureBoot, scriptPolicy } = report
  const columns = {
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
  }
  await db
    .insertInto('security_records')
    .values({ computer_id: computerId, ...columns })
    .onConflict((conflict) => conflict.column('computer_id').doUpdateSet(columns))
    .execute()
})
