import { preDownloadStates } from '../../features/pre-downloads/pre-download-states.ts'
import { closed, enumOf, nullable, sha256, Type, text } from '../../platform/schema.ts'
import { WorkId, WorkPackage } from './schemas.ts'
import { WorkDepots, WorkFiles } from './started-work-schema.ts'

/** An agent that is handed more work than this at once downloads the rest when it is due. */
export const maxPreDownloads = 100

const contentHash = sha256('Hash over all files of the package, as the service announced it')

export const PreDownloadReports = Type.Array(
  closed(
    {
      workId: WorkId,
      contentHash,
      state: enumOf(preDownloadStates, {
        description: 'Ready: all files are there and their hashes were correct. Failed: message says why.',
      }),
      fetchedBytes: Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        examples: [52_428_800],
        description: 'What has arrived',
      }),
      message: nullable(text(300, 'The disk is full.', 'Why it failed')),
    },
    { title: 'PreDownloadReport' },
  ),
  {
    maxItems: maxPreDownloads,
    description:
      'What the agent has of the content that was announced to it. Agents send it, perhaps empty, once `hasUpcoming` was true or while they have such content; the answer then has `upcoming`.',
  },
)

export const Upcoming = closed(
  {
    work: Type.Array(
      closed(
        {
          workId: WorkId,
          package: WorkPackage,
          fetch: Type.Boolean({
            examples: [true],
            description:
              'False: keep what is there and download nothing, because the installation is frozen or the rollout paused, or because the work was handed out',
          }),
          files: Type.Optional(WorkFiles),
        },
        { title: 'UpcomingWork' },
      ),
      {
        maxItems: maxPreDownloads,
        description:
          'What the agent should have before it is due. `files` is left out if the agent has reported the content, or if the answer would become too large: the next one then has it.',
      },
    ),
    ...WorkDepots,
  },
  {
    title: 'Upcoming',
    description:
      'All content to download before its time. What was announced earlier and is missing here was withdrawn, and the agent removes it. It never says what to run.',
  },
)
