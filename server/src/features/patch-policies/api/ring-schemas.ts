import { closed, Int32, nameText, nullable, Type, Uuid } from '../../../platform/schema.ts'
import { groupPath } from '../../groups/group-path.ts'

const maxRings = 10

const integerIn = (range: [number, number], example: number, description: string) => ({
  ...Int32,
  minimum: range[0],
  maximum: range[1],
  examples: [example],
  description,
})

const gateFields = {
  minInstalledPercent: integerIn(
    [0, 100],
    80,
    'The ring meets its gate if this share of its computers has the patch. Default: 80',
  ),
  maxFailedPercent: integerIn(
    [0, 100],
    5,
    'More failures than this share pause the patch, and so do as many computers that have trouble after they got it. Default: 5',
  ),
  minComputers: integerIn(
    [1, 1_000_000],
    5,
    'The ring needs this many results, or one from each of its computers if it has fewer. Default: 1',
  ),
}

const ringFields = {
  name: nameText(100, 'Pilot', 'What people call the ring. Explanations quote it.'),
  groupId: Type.Optional({ ...Uuid, description: 'The computers of this group and of the groups below it' }),
  percent: Type.Optional(
    integerIn([1, 99], 10, 'This share of the computers, by a hash of each. They stay in the ring'),
  ),
}

const afterDays = integerIn(
  [0, 365],
  2,
  'Days after the approval for the first ring, and after the ring before has met its gate for the others. Default: 0',
)

const aboutRings =
  'A computer is in the first ring that it fits; the last ring takes the rest. The others have one of groupId and percent.'

const PatchRingRequest = closed(
  {
    ...ringFields,
    afterDays: Type.Optional(afterDays),
    gate: Type.Optional(
      closed(
        {
          minInstalledPercent: Type.Optional(gateFields.minInstalledPercent),
          maxFailedPercent: Type.Optional(gateFields.maxFailedPercent),
          minComputers: Type.Optional(gateFields.minComputers),
        },
        { title: 'PatchRingGateRequest' },
      ),
    ),
  },
  { title: 'PatchRingRequest', description: aboutRings },
)

export const RequestedRings = Type.Array(PatchRingRequest, {
  maxItems: maxRings,
  description: 'How the policy releases what its rules approve, in this order. Empty: to all computers at once',
})

export const PatchRingSchema = closed(
  {
    ...ringFields,
    groupPath: Type.Optional(nullable(groupPath('Names of that group and of its ancestors; null if it was deleted'))),
    afterDays,
    gate: closed(gateFields, { title: 'PatchRingGate' }),
  },
  { title: 'PatchRing', description: aboutRings },
)
