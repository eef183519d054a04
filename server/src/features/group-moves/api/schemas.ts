import { closed, Id, Type, Uuid } from '../../../platform/schema.ts'
import { assignmentFields } from '../../fleet/api/page-schemas.ts'
import { countSchema } from '../../fleet/api/schemas.ts'
import { VariableValue } from '../../variables/api/definitions/schemas.ts'

const path = (description: string) => Type.String({ examples: ['Configuration/Berlin/Workstations'], description })

export const MoveGroupRequest = closed(
  { parentId: { ...Uuid, description: 'The new parent, a group of the same tree' } },
  { title: 'MoveGroupRequest' },
)

const MovedAssignment = closed(assignmentFields, { title: 'MovedAssignment' })

const { dottedName, isSecret, value } = VariableValue.properties

const ChangedVariable = closed(
  {
    varId: { ...Id, description: 'Id of the variable' },
    ...{ dottedName, isSecret },
    previousValue: { ...value, description: 'The value before; null if there was none or the variable is secret' },
    value: { ...value, description: 'The value now; null if there is none or the variable is secret' },
  },
  { title: 'ChangedVariable' },
)

export const MovedGroup = closed(
  {
    groupId: Uuid,
    parentId: { ...Uuid, description: 'The parent now' },
    path: path('Names of the group and of its ancestors now'),
    previousParentId: { ...Uuid, description: 'The parent before' },
    previousPath: path('Names of the group and of its ancestors before'),
    groups: countSchema('Number of groups that moved: the group and those below it'),
    gained: Type.Array(MovedAssignment, { description: 'What the group inherits now and did not have before' }),
    lost: Type.Array(MovedAssignment, {
      description: 'What the group inherited before and no longer has',
    }),
    variables: Type.Array(ChangedVariable, {
      description: 'Variables with another effective value; secret ones if the value comes from elsewhere',
    }),
    changesDistributionOptions: Type.Boolean({
      examples: [false],
      description: 'Whether other distribution options are effective for the group as a whole',
    }),
  },
  { title: 'MovedGroup' },
)
