import { closed, enumOf, Instant, nameText, nullable, Type, Uuid } from '../../../platform/schema.ts'
import { computerFilters } from '../../fleet/computer-list/filter.ts'
import { sortNames } from '../../fleet/computer-list/sort.ts'
import { RoleName } from '../../principals/api/schemas.ts'
import { viewColumns, viewDensities, viewPages } from '../pages.ts'

export const ViewPath = closed({ id: Uuid })

export const ViewPageName = enumOf(viewPages, { title: 'ViewPage' })

export const ViewFilters = closed(computerFilters, { title: 'ViewFilters' })

export const viewProperties = {
  name: nameText(100, 'Tills that do not answer', 'Unique among the views that its owner has of the page'),
  filters: {
    ...ViewFilters,
    examples: [{ healthStatus: ['Unreachable'], groupId: ['3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11'] }],
    description: 'The filters of the list, with the names and values of the parameters of listFleetComputers',
  },
  sort: { ...enumOf(sortNames), examples: ['lastSeenUtc'] },
  descending: Type.Boolean({ examples: [true], description: 'Whether the order is reversed' }),
  columns: Type.Array(enumOf(viewColumns), {
    maxItems: viewColumns.length,
    uniqueItems: true,
    examples: [['hostname', 'healthStatus', 'lastSeenUtc']],
    description: 'The columns that are shown; without any, those that the person has chosen',
  }),
  density: { ...enumOf(viewDensities), examples: ['Compact'], description: 'How close its rows are' },
  sharedWith: Type.Array(RoleName, {
    maxItems: 20,
    uniqueItems: true,
    examples: [['computer.read']],
    description: 'The roles whose principals see the view as well',
  }),
}

export const View = closed(
  {
    id: Uuid,
    page: ViewPageName,
    ...viewProperties,
    density: nullable({
      ...viewProperties.density,
      description: 'How close its rows are; null: as the person has chosen',
    }),
    savedBy: nullable(
      Type.String({ examples: ['ada'], description: 'Its owner; null once that principal is deleted' }),
    ),
    isOwn: Type.Boolean({ examples: [true], description: 'Whether the caller is the owner' }),
    mayChange: Type.Boolean({
      examples: [true],
      description: 'Whether the caller may change and delete it: as its owner, or as an administrator if it is shared',
    }),
    createdAtUtc: Instant,
    modifiedAtUtc: Instant,
  },
  { title: 'View' },
)
