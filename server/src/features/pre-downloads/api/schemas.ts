import { closed, enumOf, Instant, nullable, Type, text, Uuid } from '../../../platform/schema.ts'
import { preDownloadStates } from '../pre-download-states.ts'

const count = (example: number, description: string) => Type.Integer({ minimum: 0, examples: [example], description })

export const PreDownloadQuery = closed({
  groupId: Type.Optional({ ...Uuid, description: 'Only what the assignments of this group bring' }),
  packageId: Type.Optional({ ...Uuid, description: 'Only this package' }),
  trackingId: Type.Optional({ ...Uuid, description: 'Only work of this task' }),
  rolloutId: Type.Optional({ ...Uuid, description: 'Only work of this rollout' }),
})

export const PreDownload = closed(
  {
    packageId: { ...Uuid, description: 'Id of the package' },
    packageName: text(255, 'Firefox', 'Name of the package'),
    version: text(100, '128.0', 'Version of the package'),
    total: count(1000, 'Computers whose work with the package waits for its time'),
    ready: count(812, 'Computers that have all files'),
    fetching: count(120, 'Computers that download them'),
    failed: count(3, 'Computers that could not download them. They try again after their next contact.'),
    waiting: count(65, 'Computers that have not begun, or whose agents do not know pre-downloads'),
    bytes: count(104_857_600, 'Size of all files of the package'),
    earliestStartUtc: nullable({ ...Instant, description: 'When the first of the work may begin' }),
  },
  { title: 'PreDownload' },
)

/** What a computer has of the content of one work item. */
export const PreDownloadOfWork = closed(
  {
    state: enumOf(preDownloadStates, {
      title: 'PreDownloadState',
      description: 'Ready: all files are on the computer. Failed: it tries again after its next contact.',
    }),
    fetchedBytes: count(52_428_800, 'What has arrived'),
    message: nullable(text(300, 'The disk is full.', 'Why it failed')),
    reportedUtc: nullable({ ...Instant, description: 'When the agent reported it; null: it has reported nothing yet' }),
  },
  {
    title: 'PreDownloadOfWork',
    description: 'What the computer has downloaded before its time; null if it should not',
  },
)
