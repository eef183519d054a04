import { ok, operation } from '../../../../platform/operation.ts'
import { closed, Type, text } from '../../../../platform/schema.ts'
import { findSoftwareNames } from '../../software/software-versions.ts'

export const listSoftwareNames = operation({
  id: 'listSoftwareNames',
  route: 'GET /api/fleet/software/names',
  summary: 'List names of installed software that contain a text',
  description:
    'Each word must occur in the name, regardless of case. Names that begin with the text come first, then the shortest.',
  role: 'computer.read',
  extension: true,
  query: closed({
    search: { ...text(255, 'openssl', 'Words separated by spaces'), pattern: '\\S' },
    top: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 20,
      examples: [20],
      description: 'At most this many names',
    }),
  }),
  returns: ok(Type.Array(Type.String({ examples: ['openssl'] }), { description: 'Names of software' })),
  handle: ({ db, query }) => findSoftwareNames(db, query.search, query.top),
})
