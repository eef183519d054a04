import { recordReportedResults } from '../../features/deployments/reports/record-reported-results.ts'
import { resourceBusy } from '../../platform/general-problems.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, Type } from '../../platform/schema.ts'
import { workNotFound } from './problems.ts'
import { WorkPath } from './schemas.ts'
import { WorkResult } from './work-reports.ts'

export const reportResult = operation({
  id: 'reportResult',
  route: 'POST /agent/v1/work/:workId/result',
  summary: 'Report the result of a work item',
  description:
    'Closes the work item, or schedules a retry after a failure. A repeated or outdated report is acknowledged and changes nothing.',
  role: 'machine',
  execution: { kind: 'SharedReport' },
  bodyLimit: 524_288,
  params: WorkPath,
  body: WorkResult,
  returns: ok(
    closed(
      {
        accepted: Type.Boolean({
          examples: [true],
          description: 'False when the report was repeated or outdated and changed nothing',
        }),
      },
      { title: 'WorkResultAnswer' },
    ),
  ),
  problems: [workNotFound, resourceBusy],
  async handle({ params: { workId }, body, db, machine: { clientId } }) {
    const [recorded] = await recordReportedResults(db, clientId, [{ ...body, workId }], { waitsForLocks: true })
    if (recorded?.outcome === 'Unknown') throw workNotFound({ workId })
    if (recorded?.outcome === 'Locked') throw resourceBusy().withHeaders({ 'retry-after': '2' })
    return { accepted: recorded?.outcome === 'Accepted' }
  },
})
