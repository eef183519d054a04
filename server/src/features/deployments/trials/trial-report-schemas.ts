import { closed, enumOf, Instant, Int32, nullable, type Static, Type, text } from '../../../platform/schema.ts'

export const maxReportedLeftovers = 200

/** The two steps of a trial, in their order. */
export const TrialStep = closed(
  {
    step: enumOf(['Install', 'Uninstall'], { description: 'What the agent did' }),
    startedUtc: { ...Instant, description: 'When the step began, by the clock of the computer' },
    finishedUtc: { ...Instant, description: 'When it ended' },
    commandLine: nullable(text(8000, 'sh install.sh', 'The command that ran; null if none did')),
    exitCode: nullable(
      Type.Integer({
        minimum: -(2 ** 31),
        maximum: 2 ** 32 - 1,
        examples: [0],
        description: 'Exit code of the command; null if none ran',
      }),
    ),
    output: text(24_000, 'Done.', 'The end of the output of the command'),
    detectedBefore: nullable(
      Type.Boolean({
        examples: [false],
        description: 'Whether the detection found the software before the step; null without an answer',
      }),
    ),
    detectedAfter: nullable(
      Type.Boolean({
        examples: [true],
        description: 'Whether the detection found the software after the step; null without an answer',
      }),
    ),
    errorText: nullable(text(4000, 'The command exited with code 1.', 'Why the step failed; null if it succeeded')),
  },
  { title: 'TrialStep' },
)

export const leftoverKinds = ['File', 'Folder', 'Package', 'Program', 'Service'] as const

export const TrialLeftover = closed(
  {
    kind: enumOf(leftoverKinds, {
      description:
        'File and Folder: in the places where software is installed. Package: in the database of the distribution. ' +
        'Program: an uninstall entry of Windows. Service: a unit of systemd, or a service of Windows.',
    }),
    name: text(255, '/opt/greeting/settings.ini', 'Its path or name'),
  },
  { title: 'TrialLeftover' },
)

export const TrialReport = closed(
  {
    steps: Type.Array(TrialStep, { maxItems: 2, description: 'The steps that were taken, in their order' }),
    leftovers: Type.Array(TrialLeftover, {
      maxItems: maxReportedLeftovers,
      description: 'What exists after the trial and did not before: the first of them, in the order of their names',
    }),
    leftoverCount: { ...Int32, minimum: 0, examples: [1], description: 'How many there are' },
    leftoversComplete: Type.Boolean({
      examples: [true],
      description: 'False if the agent could not compare all places, because of their size or of an interruption',
    }),
  },
  { title: 'TrialReport', description: 'Only for work items of the kind Trial' },
)

export type TrialReport = Static<typeof TrialReport>
