import type { AnswerOf } from './api-types.ts'
import { example, type FakeService } from './fake-service.ts'
import { fakeService } from './open-page.tsx'

const path = '/api/fleet/groups/{id}'
const tree = '/api/fleet/group-tree'

export type GroupPage = AnswerOf<`GET ${typeof path}`>

/** Configuration with Berlin, which has Tills, and Hamburg. Tills can be moved. */
export function givenGroups(changes: Partial<GroupPage> = {}) {
  const [known] = example(`GET ${tree}`) as [AnswerOf<`GET ${typeof tree}`>[number]]
  const places = { tills: 'berlin' }
  const pathOf = () => `Configuration/${places.tills === 'berlin' ? 'Berlin' : 'Hamburg'}/Tills`
  const group = (id: string, name: string, parentId: string | null, computers: number) =>
    ({ ...known, id, name, parentId, computers, kind: parentId ? 'Ordinary' : 'System' }) as typeof known
  const service: FakeService = fakeService()
    .on(`GET ${tree}`, () => [
      group('root', 'Configuration', null, 5),
      group('berlin', 'Berlin', 'root', places.tills === 'berlin' ? 5 : 0),
      group('hamburg', 'Hamburg', 'root', places.tills === 'hamburg' ? 5 : 0),
      group('tills', 'Tills', places.tills, 5),
    ])
    .on(`GET ${path}`, () =>
      example(`GET ${path}`, {
        ...{ id: 'tills', name: 'Tills', kind: 'Ordinary', computers: 5, members: 4 },
        ...{ parentId: places.tills, path: pathOf(), ...changes },
      }),
    )
    .on('GET /api/group/{id}', () =>
      example('GET /api/group/{id}', { id: 'tills', name: 'Tills', parentId: places.tills }),
    )
  return { service, places, pathOf }
}
