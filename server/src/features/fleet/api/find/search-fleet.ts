import { ok, operation } from '../../../../platform/operation.ts'
import { closed, Type, text } from '../../../../platform/schema.ts'
import { findInFleet } from '../../search/find-in-fleet.ts'
import { FoundInFleet } from './search-schemas.ts'

export const searchFleet = operation({
  id: 'searchFleet',
  route: 'GET /api/fleet/search',
  summary: 'Search computers, users, packages, patches, groups, rollouts and principals at once',
  description:
    'Returns the best matches of each kind, regardless of case: what equals the text comes first, then what begins with it. Kinds ' +
    'that the roles of the caller may not read are null. Names, serial numbers and users of computers are searched for the text ' +
    'anywhere if it has at least three characters, and names of computers for their beginning otherwise. If more than a few ' +
    'hundred computers match, some of the best matches are returned.',
  role: 'any valid token',
  extension: true,
  query: closed({
    search: { ...text(255, 'pc-0017', 'What is searched for'), pattern: '\\S' },
    top: Type.Integer({ minimum: 1, maximum: 20, default: 6, examples: [6], description: 'Matches of each kind' }),
  }),
  returns: ok(FoundInFleet),
  handle: ({ db, query, caller }) => findInFleet(db, query.search, { top: query.top, roles: caller.principal.roles }),
})
