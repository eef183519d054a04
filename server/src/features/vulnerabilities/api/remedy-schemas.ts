import { closed, enumOf, Id, Instant, Int32, nullable, Type, text } from '../../../platform/schema.ts'
import { remedyStates } from '../remedies.ts'

const RemedyState = enumOf(remedyStates, {
  title: 'RemedyState',
  description:
    'Excepted: an exception covers it. Released: a patch that brings the fixed version is released to the computer. Waiting: a rule ' +
    'approves such a patch later. NeedsPerson: such a patch waits for an approval. Declined: a rule declines such a patch. NoPatch: a ' +
    'fixed version is known, but the last patch scan found no missing patch that brings it. NoFix: no fixed version is known',
})

const remedyPatch = {
  patchId: nullable({ ...Id, description: 'The patch that brings the fixed version' }),
  patchName: nullable(text(500, 'openssl 3.0.16-1~deb12u1')),
}

export const RemedySchema = closed(
  {
    state: RemedyState,
    ...remedyPatch,
    approvedUtc: nullable({ ...Instant, description: 'When a rule approves it, of the state Waiting' }),
    message: text(1_000, 'No fixed version is known yet.', 'How it goes away, as a sentence for people'),
  },
  {
    title: 'VulnerabilityRemedy',
    description:
      'How it goes away. Of several packages, the one that is fixed last counts, and of several sources, the one that knows most',
  },
)

const RemedyCountSchema = closed(
  {
    state: RemedyState,
    ...remedyPatch,
    computers: { ...Int32, minimum: 0, examples: [80], description: 'Affected computers that get rid of it this way' },
    firstUtc: nullable({ ...Instant, description: 'Of the state Waiting, when the first approval is due' }),
    lastUtc: nullable({ ...Instant, description: 'Of the state Waiting, when the last approval is due' }),
  },
  { title: 'VulnerabilityRemedyCount' },
)

/** How the computers of a vulnerability get rid of it. */
export const remedyCounts = {
  remedies: Type.Array(RemedyCountSchema, {
    description:
      'How the affected computers get rid of it, now: one item for each state and patch. A computer counts once, by the package ' +
      'that is fixed last',
  }),
  areRemediesEstimated: Type.Boolean({
    examples: [false],
    description: 'Whether the computers of `remedies` are an estimate, because more than 2,000 are affected',
  }),
}
