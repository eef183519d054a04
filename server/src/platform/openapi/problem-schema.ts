import { type ProblemKind, problemDetails } from '../problem.ts'
import { Type } from '../schema.ts'

const text = (example: string, description: string) => Type.String({ examples: [example], description })

export const ProblemDetails = Type.Object(
  {
    type: text('urn:muster:problem:PrincipalNotFound', 'Identifies the type of problem'),
    title: text('Not Found', 'Reason phrase of the status'),
    status: Type.Integer({ examples: [404] }),
    detail: text('No principal of this kind has this id.', 'What is wrong with this request'),
    instance: text('/api/admin/principals/17', 'URL of the request'),
    code: text('PrincipalNotFound', 'Identifies the problem for programs; never changes'),
    message: text('No principal of this kind has this id.', 'For people; the same for every problem with this code'),
    requestId: text('0c5f8f4e-5f0f-4a43-9a51-6e2c7d6a9a10', 'Identifies the request in the log of the service'),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          in: text('body', 'Part of the request: path, query, header or body'),
          name: text('colour', 'Name of the property or parameter'),
          reason: text('is an unknown property', 'What is wrong with it'),
        }),
      ),
    ),
  },
  {
    title: 'ProblemDetails',
    description: 'Problem details (RFC 9457), extended by further properties such as ids of the resources concerned.',
  },
)

export const Rfc6749Error = Type.Object(
  {
    error: text('invalid_client', 'Error code of RFC 6749'),
    error_description: text(
      'Wrong client ID or secret, or the principal is revoked or expired.',
      'What is wrong, for people',
    ),
  },
  { title: 'Rfc6749Error' },
)

export function problemExample(kind: ProblemKind, path: string): unknown {
  return kind.body ? kind.body(kind()) : problemDetails(kind(), path, '0c5f8f4e-5f0f-4a43-9a51-6e2c7d6a9a10')
}
