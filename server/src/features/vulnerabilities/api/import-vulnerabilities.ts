import { pathFault, withSlashes } from '@muster/package-format'
import { enqueue } from '../../../jobs/enqueue.ts'
import { accepted, operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { TrackingIdResponse } from '../../packages/api/schemas.ts'
import type { VulnerabilityFormat } from '../documents/read-files.ts'
import type { VulnerabilityImportInput } from '../jobs/vulnerability-import.ts'
import { VulnerabilityImportRequest } from './schemas.ts'

const defaultNames = {
  Osv: 'osv',
  DebianTracker: 'debian-security-tracker',
  Kev: 'kev',
  Epss: 'epss',
  Cvss: 'cvss',
} as const satisfies Record<VulnerabilityFormat, string>

export const importVulnerabilities = operation({
  id: 'importVulnerabilities',
  route: 'POST /api/vulnerabilities/import',
  summary: 'Start an import of advisories, or of facts about vulnerabilities',
  description:
    'A background job reads a file or a folder of the package store, compares what is installed with it and counts the affected ' +
    'computers. The import takes the place of the earlier one of the same source as a whole, once it is complete; if it fails, the ' +
    'earlier one stays. The same documents again change nothing. A single invalid document of OSV is refused with a reason and does not ' +
    'affect the others. Follow its progress at the URL in `Location`.',
  role: 'pm.write',
  extension: true,
  body: VulnerabilityImportRequest,
  returns: accepted(TrackingIdResponse),
  async handle({ body, db, caller, setHeader }) {
    const fault = pathFault(body.folderPath)
    if (fault) throw invalidPart('body', 'folderPath', fault)
    const { format, source = defaultNames[format] } = body
    const input: VulnerabilityImportInput = { path: withSlashes(body.folderPath), format, source }
    const startedBy = { principalId: caller.principal.id, role: 'pm.write' } as const
    const trackingId = await enqueue(db, { queue: 'vulnerability-import', subject: source, input, startedBy })
    setHeader('location', `/api/vulnerabilities/import/${trackingId}`)
    return { trackingId }
  },
})
