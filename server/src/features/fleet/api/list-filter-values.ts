import { ok, operation } from '../../../platform/operation.ts'
import { closed, enumOf, Type, text } from '../../../platform/schema.ts'
import { customFieldSlot } from '../../custom-fields/custom-field-rows.ts'
import { countValues } from '../computer-list/count-values.ts'
import { computerFilters, propertyFilters } from '../computer-list/filter.ts'
import { matchesSearch } from '../computer-list/search.ts'
import { findSelectedSoftware } from '../software/find-products.ts'
import { FilterValue } from './schemas.ts'

export const listFilterValues = operation({
  id: 'listFilterValues',
  route: 'GET /api/fleet/computers/values',
  summary: 'Count computers by the values of one property that has many',
  description:
    'Takes the filters of listFleetComputers. All filters but the one of the property apply. Lists the 100 most frequent ' +
    'values, the most frequent first; `find` finds the others. Of a custom field that is not active, there are none.',
  role: 'computer.read',
  extension: true,
  query: closed({
    property: { ...enumOf(propertyFilters), examples: ['model'], description: 'The parameter of listFleetComputers' },
    slot: {
      ...Type.String({ pattern: `^${customFieldSlot}$`, examples: ['Custom01'] }),
      default: 'Custom01',
      description: 'Which custom field, if that is the property',
    },
    find: Type.Optional(text(255, 'Latitude', 'Only values with this text, regardless of case')),
    ...computerFilters,
  }),
  returns: ok(Type.Array(FilterValue)),
  async handle({ db, query: { property, slot, find, ...filter } }) {
    const isFound = await matchesSearch(db, filter, await findSelectedSoftware(db, filter))
    return countValues(db, { property, slot, find }, filter, isFound)
  },
})
