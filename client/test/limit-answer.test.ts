import { expect, test } from 'vitest'
import { limitAnswer } from '../src/index.ts'

test.each([204, 205, 304])(
  'a response with the status %i is passed on, even if it has an empty body, as in Chromium',
  (status) => {
    const response = Object.defineProperty(new Response(null, { status }), 'body', { value: new Blob([]).stream() })

    expect(limitAnswer(response)).toBe(response)
  },
)
