import { expect, test } from 'vitest'
import { outputTail } from '../src/work/output-tail.ts'
import { redactor } from '../src/work/redact.ts'
import { openWorld, until } from './world.ts'

const secret = 'tüp-s3cret/Value'

test('a secret reaches its command and appears in nothing that the command outputs or leaves behind', async () => {
  const { server, start, left, stored } = await openWorld()
  const workId = server.give({
    commands: {
      install: { shell: `echo "$MUSTER_SECRET_ADMIN_KEY" | tee "$ROOT/got"; test '${secret}' && sleep 0.5` },
      detect: { shell: 'echo "detect: $MUSTER_SECRET_ADMIN_KEY" >> "$ROOT/detect"' },
    },
    secrets: { 'Admin.key': secret },
  })

  const agent = start('run', '--once')
  await until(() => left('got'))
  const during = await stored()
  const { output } = await agent.ended

  expect(left('got')).toBe(`${secret}\n`)
  expect(left('detect')).toBe('detect: \n')
  expect(server.resultOf(workId)).toMatchObject({ status: 'Success', output: '***\n' })
  expect(during).toContain('"phase": "running"')
  expect(`${during}${await stored()}${output}${JSON.stringify(server.calls)}`).not.toContain(secret)
})

test('a secret is redacted across chunks, across the cut, and where two secrets overlap', () => {
  const tail = outputTail(['secret-one', 'one-two'], 20)

  for (const chunk of ['x'.repeat(500), 'secr', 'et-one', 'y'.repeat(15)]) tail.write(Buffer.from(chunk))

  expect(tail.text()).toBe(`***${'y'.repeat(15)}`)
  expect(redactor(['secret-one', 'one-two'])('a secret-one-two b')).toBe('a *** b')
})

test('a part of a secret at the cut stays hidden when redaction shortens the rest', () => {
  const tail = outputTail(['abcdefghij'], 20)

  tail.write(Buffer.from('abcdefghijabcdefghijabcdefghijabcdefghijabc'))

  expect(tail.text()).not.toMatch(/[d-j]/)
})

test('single lines of a multi-line secret are redacted', () => {
  const redact = redactor(['-----BEGIN KEY-----\nMIIEvQIBADANBg\n-----END KEY-----\n'])

  expect(redact('grep: MIIEvQIBADANBg')).toBe('grep: ***')
})

test('binary output is converted to valid text', () => {
  const tail = outputTail([])

  tail.write(Buffer.from([0x00, 0xff, 0x41]))

  expect(tail.text()).toBe('\uFFFD\uFFFDA')
})
