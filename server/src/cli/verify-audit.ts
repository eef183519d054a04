import { openBesideService } from '../database/open-beside-service.ts'
import { verifyAuditTrail } from '../features/audit/verify-audit-trail.ts'
import { readConfiguration } from '../platform/configuration.ts'

const help = `Usage: npm run verify-audit

Recomputes the hash chains of the audit trail. The service may run meanwhile. Exits with 0 when the trail is intact, with 2 when it is not.
The database is that of MUSTER_DATABASE_URL, or the embedded one of MUSTER_DATA_DIR.`

if (process.argv.includes('--help')) {
  console.log(help)
  process.exit(0)
}

const database = await openBesideService(readConfiguration(process.env))
try {
  const { entries, faults } = await verifyAuditTrail(database.db)
  for (const { chain, position, entryId, reason } of faults)
    console.error(`chain ${chain}, position ${position}, entry ${entryId ?? '-'}: ${reason}`)
  console.log(faults.length === 0 ? `The audit trail is intact: ${entries} entries.` : 'The audit trail is NOT intact.')
  process.exitCode = faults.length === 0 ? 0 : 2
} finally {
  await database.close()
}
