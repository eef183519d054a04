import { recordResult } from '../../features/deployments/record-result.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, enumOf, Instant, nullable, Type, text } from '../../platform/schema.ts'
import { workNotFound } from './problems.ts'
import { Attempt, WorkPath } from './schemas.ts'

export const reportResult = operation({
  id: 'reportResult',
  route: 'POST /agent/v1/work/:workId/result',
  summary: 'Report the result of a work item',
  description:
    'Closes the work item, or schedules a retry after a failure. A repeated or outdated report is acknowledged and changes nothing.',
  role: 'machine',
  bodyLimit: 524_288,
  params: WorkPath,
  body: closed(
    {
      attempt: Attempt,
      status: enumOf(['Success', 'Failed'], { description: 'How the work ended' }),
      installationState: nullable(
        enumOf(['Installed', 'NotInstalled', 'Uninstalled'], {
          description: 'State of the software after the work; null when unknown',
        }),
      ),
      exitCode: nullable(
        Type.Integer({
          minimum: -(2 ** 31),
          maximum: 2 ** 32 - 1,
          examples: [0],
          description: 'Exit code of the last command; null when none ran',
        }),
      ),
      startedUtc: { ...Instant, description: 'When the agent started the work' },
      finishedUtc: { ...Instant, description: 'When the work ended' },
      commandLine: nullable(text(8000, 'sh install.sh', 'The last command that ran')),
      output: text(65_536, 'Done.', 'The end of the output of the command'),
      errorText: nullable(text(4000, 'There is no space left on the disk.', 'Why the work failed, for people')),
      rebootRequired: Type.Boolean({ examples: [false], description: 'The computer needs a reboot' }),
    },
    { title: 'WorkResult' },
  ),
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
  problems: [workNotFound],
  async handle({ params: { workId }, body, db, machine: { clientId } }) {
    const outcome = await recordResult(db, clientId, workId, body)
    if (outcome === 'Unknown') throw workNotFound({ workId })
    return { accepted: outcome === 'Accepted' }
  },
})
