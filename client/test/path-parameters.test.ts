import { expect, test } from 'vitest'
import { createMusterClient } from '../src/index.ts'

const sent: string[] = []
const client = createMusterClient({
  address: 'https://muster.example.org',
  send: async ({ url }) => {
    sent.push(new URL(url).pathname)
    return Response.json({})
  },
})
const read = (id: string) => client.GET('/api/rollouts/{id}', { params: { path: { id } } })

test('a parameter is one segment of the path, and never leads to another operation', async () => {
  for (const id of ['..', '.', '']) await expect(read(id)).rejects.toThrow(`"${id}" cannot be the id in a path.`)
  await read('../a?b')

  expect(sent).toEqual(['/api/rollouts/..%2Fa%3Fb'])
})
