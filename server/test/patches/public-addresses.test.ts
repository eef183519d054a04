import { expect, test } from 'vitest'
import { isPublicAddress } from '../../src/platform/http/public-addresses.ts'

test.each([
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:10.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::a00:1',
  'fc00::1',
  'fe80::1',
  'ff02::1',
  '2001:db8::1',
  '2002:a00:1::',
])('%s is not an address of the public internet', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2a00:1450:4001::1', '2606:4700::1111'])(
  '%s is an address of the public internet',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)
