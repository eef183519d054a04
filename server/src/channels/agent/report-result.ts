import { recordResult } from '../../features/deployments/record-result.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, enumOf, Instant, nullable, Type, text } from '../../platform/schema.ts'
import { workNotFound } from './problems.ts'
import { Attempt, WorkPath } from './schemas.ts'

export const reportResult = operation({
  id: 'reportResult',
  route: 'POST /agent/v1/work/:workId/result',
  summary: 'Say how a piece of work ended',
  description: 'A report that came before, or that comes too late, is acknowledged and changes nothing.',
  role: 'machine',
  bodyLimit: 524_288,
  params: WorkPath,
  body: closed(
    {
      attempt: Attempt,
      status: enumOf(['Success', 'Failed']),
      installationState: nullable(enumOf(['Installed', 'NotInstalled', 'Uninstalled'])),
      exitCode: nullable(Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 32 - 1, examples: [0] })),
      startedUtc: Instant,
      finishedUtc: Instant,
      commandLine: nullable(text(8000, 'sh install.sh')),
      output: text(65_536, 'Done.', 'The end of what the command printed'),
      errorText: nullable(text(4000, 'There is no space left on the disk.')),
      rebootRequired: Type.Boolean({ examples: [false] }),
    },
    { title: 'WorkResult' },
  ),
  returns: ok(
    closed(
      { accepted: Type.Boolean({ examples: [true], description: 'False when nothing changed' }) },
      { title: 'WorkResultAnswer' },
    ),
  ),
  problems: [workNotFound],
  async handle({ params: { workId }, body, db, machine: { clientId } }) {
    const outcome = await recordResult(db, clientId, workId, body)
    if (outcome === 'Unknown') throw workNotFound({ workId })
    return { accepted: outcome === 'Accepted' }
  },
})
