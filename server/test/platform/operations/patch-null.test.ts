import { expect, test } from 'vitest'
import { operations } from '../../../src/features/index.ts'
import { extensionKeyword, type TSchema } from '../../../src/platform/schema.ts'

const propertiesOf = (schema: TSchema | null | undefined) =>
  Object.entries((schema?.properties ?? {}) as Record<string, TSchema>)

const isNullable = (schema: TSchema | undefined) => Array.isArray(schema?.type) && schema.type.includes('null')

/**
 * What a PATCH of our own can set and its answer can have as null, without a text whose empty value clears it. Each name needs a test
 * that null removes it.
 */
test('everything that an extension sets with a PATCH can be removed again', () => {
  const removable = operations.flatMap(({ id, method, body, returns, extension = false }) => {
    const answer = new Map(propertiesOf(Object.values(returns)[0] as TSchema))
    return propertiesOf(method === 'PATCH' ? body : null)
      .filter(([, schema]) => extension || schema[extensionKeyword] === true)
      .filter(([name]) => isNullable(answer.get(name)))
      .map(([name]) => `${id}.${name}`)
  })

  // rollouts/user-deadline.test.ts, views/views.test.ts, patch-policies/policy-restarts.test.ts, reports/runs.test.ts
  expect(removable).toEqual([
    'updateRollout.userDeadline',
    'updateView.density',
    'updatePatchPolicy.restart',
    ...['updateReport.schedule', 'updateReport.webhookId'],
  ])
})
