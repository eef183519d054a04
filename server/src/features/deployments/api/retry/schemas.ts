import { closed, Int32, nullable, Type, text, Uuid } from '../../../../platform/schema.ts'
import { selectedIds } from '../../../computers/selection-schemas.ts'

/** As many failures are retried at once. */
const maxRetried = 5_000

export const CauseId = text(32, '0d0f2b7c9e4f6a1d8c3b5a7e9f1d2c4b', 'Id of a cause, from the page of the package')

export const PackageRetryRequest = closed(
  {
    causeId: Type.Optional({ ...CauseId, description: 'Only computers that fail for this cause; all by default' }),
    computerIds: Type.Optional({
      ...selectedIds(maxRetried),
      description: 'Only these of the computers that fail; all by default',
    }),
  },
  { title: 'PackageRetryRequest' },
)

export const PackageRetry = closed(
  {
    packageId: Uuid,
    computerCount: { ...Int32, minimum: 0, examples: [17], description: 'Number of computers that fail' },
    trackingId: nullable({ ...Uuid, description: 'The task with the new work; null if none is due' }),
  },
  { title: 'PackageRetry' },
)
