import { expect, test } from 'vitest'
import { problem } from '../../src/platform/problem.ts'

test('a refusal that is audited stays audited when it gets headers', () => {
  const attempt = {
    principal: { id: null, name: 'unknown' },
    operation: 'enrolAgent',
    target: '/agent/v1/enrolment',
    status: 409,
    requestId: '1',
    details: {},
  }

  const refusal = problem('Refused', 409, 'Refused.')().withAudit(attempt).withHeaders({ 'retry-after': '1' })

  expect(refusal).toMatchObject({ attempt, headers: { 'retry-after': '1' } })
})
