import { openDatabaseForCommand } from '../database/open-for-command.ts'
import { verifyAuditTrail } from '../features/audit/verify-audit-trail.ts'
import { readConfiguration } from '../platform/configuration.ts'

const help = `Usage: npm run verify-audit

Verify the hash chains of the audit trail. The service may be running.
The exit code is 0 if the trail is intact and 2 if it is not.
The command uses the same database as the service: that of MUSTER_DATABASE_URL, or else the one in MUSTER_DATA_DIR.`

if (process.argv.includes('--help')) {
  console.log(help)
  process.exit(0)
}

const database = await openDatabaseForCommand(readConfiguration(process.env))
try {
  const { entries, faults } = await verifyAuditTrail(database.db)
  for (const { chain, position, entryId, reason } of faults)
    console.error(`chain ${chain}, position ${position}, entry ${entryId ?? '-'}: ${reason}`)
  console.log(
    faults.length === 0
      ? `The audit trail is intact: ${entries} entries.`
      : `The audit trail is NOT intact: ${faults.length} faults.`,
  )
  process.exitCode = faults.length === 0 ? 0 : 2
} finally {
  await database.close()
}
