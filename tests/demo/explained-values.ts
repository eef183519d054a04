import {
  BlockerReasonName,
  ExplainedSource,
  ExplainedWork,
  Verdict,
} from '../../server/src/features/explain/api/schemas.ts'
import { cancelReasons } from '../../server/src/features/work-states/cancel-reasons.ts'
import type { TSchema } from '../../server/src/platform/schema.ts'

/** What explanations, and the tasks that they name, show only at the right moment. */
export function listValuesOfExplanations(): string[] {
  const valuesOf = (name: string, schema: TSchema): string[] =>
    (schema.enum ?? []).filter((value: unknown) => value !== null).map((value: unknown) => `${name}=${value}`)
  return [
    ...valuesOf('BlockerReason', BlockerReasonName),
    ...valuesOf('ExplanationVerdict', Verdict),
    ...valuesOf('ExplainedSource.kind', ExplainedSource.properties.kind),
    ...valuesOf('ExplainedSource.beatenBy', ExplainedSource.properties.beatenBy),
    ...valuesOf('ExplainedWork.kind', ExplainedWork.properties.kind),
    ...valuesOf('ExplainedWork.state', ExplainedWork.properties.state),
    ...cancelReasons.flatMap((reason) => [
      `ExplainedCancellation.reason=${reason}`,
      `TaskAction.cancelReason=${reason}`,
    ]),
    'ExplainedCancellation.subject',
    'ExplainedRuling.pmGroupName',
    'ExplainedWork.progress',
    'ExplainedOptions.revokeDateUtc',
    'ExplainedOptions.userDeadline',
    'ExplainedOptions.optionalDateUtc',
    'ExplainedOptions.source=Package',
    'ExplainedOptions.source=Default',
    'ExplainedOptions.source=Group',
    'ComputerExplanation.failure',
    'ComputerExplanation.nextRunUtc',
    'ExplainedFailure.failedUtc',
    'ExplainedFailure.errorText',
    'ExplainedNotice.reason',
    'ExplainedNotice.message',
    'ExplainedNotice.reason=NoDepotOnline',
    'ExplainedNotice.reason=RebootRequired',
    'ExplainedOtherVersion.packageId',
    'ExplainedOtherVersion.version',
    'ExplainedOtherVersion.installed',
    'ExplainedOtherVersion.assigned',
    'ExplainedBlocker.untilUtc',
    'WaitingReason.earliestEndUtc',
    'WaitingReason.latestEndUtc',
  ]
}
