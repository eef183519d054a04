import { describe, expect, test } from 'vitest'
import { readConfiguration } from '../../src/platform/configuration.ts'
import { ConfigurationError } from '../../src/platform/configuration-error.ts'
import { findDownloadHost } from '../../src/platform/downloads/download-hosts.ts'

test('without any setting, the service listens on the loopback address only, on port 5057', () => {
  expect(readConfiguration({})).toMatchObject({
    mode: 'production',
    host: '127.0.0.1',
    port: 5057,
    plainHttp: true,
    tls: undefined,
    databaseUrl: undefined,
    tokenRateLimit: 60,
    tokenLifetimeSeconds: 3600,
    corsOrigins: [],
    trustedProxies: [],
  })
})

test('with a certificate, plain HTTP is served only if it is asked for', () => {
  const tls = { MUSTER_TLS_CERT: '/etc/cert.pem', MUSTER_TLS_KEY: '/etc/key.pem' }

  expect(readConfiguration(tls)).toMatchObject({ plainHttp: false, boot: undefined })
  expect(readConfiguration({ ...tls, MUSTER_PLAIN_HTTP: 'on' }).plainHttp).toBe(true)
})

test('the address of the boot listener follows from the public address, unless it is set', () => {
  const boot = { MUSTER_HOST: '0.0.0.0', MUSTER_PUBLIC_URL: 'https://muster.example.org/', MUSTER_BOOT_PORT: '5058' }

  expect(readConfiguration(boot)).toMatchObject({
    boot: { host: '0.0.0.0', port: 5058 },
    publicUrl: 'https://muster.example.org',
    bootUrl: 'http://muster.example.org:5058',
  })
  expect(
    readConfiguration({ ...boot, MUSTER_BOOT_HOST: '192.0.2.1', MUSTER_BOOT_URL: 'http://boot.example.org' }),
  ).toMatchObject({
    boot: { host: '192.0.2.1', port: 5058 },
    bootUrl: 'http://boot.example.org',
  })
})

test('settings with several values are separated by commas', () => {
  const { corsOrigins, trustedProxies, networkRates } = readConfiguration({
    MUSTER_NETWORK_RATES: '10.2.0.0/16=2000, fd00::/8 = 500',
    MUSTER_CORS_ORIGINS: 'https://a.example.org, https://b.example.org',
    MUSTER_TRUSTED_PROXIES: '10.0.0.1,fd00::/8',
  })

  expect(corsOrigins).toEqual(['https://a.example.org', 'https://b.example.org'])
  expect(trustedProxies).toEqual(['10.0.0.1', 'fd00::/8'])
  expect(networkRates).toEqual([
    { range: '10.2.0.0/16', kilobytesPerSecond: 2_000 },
    { range: 'fd00::/8', kilobytesPerSecond: 500 },
  ])
})

test('hosts for downloads are matched by name and port, and a wildcard stands for all hosts below a domain', () => {
  const { patchHosts } = readConfiguration({
    MUSTER_PATCH_HOSTS: 'Vendor.example.org, *.cdn.example.org',
    MUSTER_PATCH_PRIVATE_HOSTS: 'mirror.example.org:8443',
  })
  const find = (url: string) => findDownloadHost(patchHosts, new URL(url))

  expect(find('https://vendor.example.org/a')).toMatchObject({ isPrivate: false })
  expect(find('https://eu.cdn.example.org/a')).toMatchObject({ isPrivate: false })
  expect(find('https://mirror.example.org:8443/a')).toMatchObject({ isPrivate: true })
  const others = ['https://vendor.example.org:444', 'https://cdn.example.org', 'https://evilcdn.example.org']
  for (const url of [...others, 'https://vendor.example.org.evil.example', 'https://mirror.example.org'])
    expect({ url, host: find(url) }).toEqual({ url, host: undefined })
})

describe('an invalid setting', () => {
  test.each([
    ['MUSTER_MODE', 'debug'],
    ['MUSTER_MODE', 'test'],
    ['MUSTER_PORT', '65536'],
    ['MUSTER_PORT', 'http'],
    ['MUSTER_PORT', '-1'],
    ['MUSTER_TOKEN_RATE_LIMIT', '1.5'],
    ['MUSTER_TOKEN_LIFETIME', '0'],
    ['MUSTER_BODY_LIMIT', '1e6'],
    ['MUSTER_DATABASE_URL', 'mysql://localhost/muster'],
    ['MUSTER_DATABASE_OWNER_URL', 'postgres://owner@db.example.org/muster'],
    ['MUSTER_AUDIT_ANCHOR_URL', 'http://anchors.example.org/'],
    ['MUSTER_AUDIT_ANCHOR_URL', 'anchors.example.org'],
    ['MUSTER_TRUSTED_PROXIES', 'proxy.example.org'],
    ['MUSTER_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['MUSTER_NETWORK_RATES', '10.2.0.0/16'],
    ['MUSTER_NETWORK_RATES', '10.2.0.0/16=0'],
    ['MUSTER_NETWORK_RATES', 'berlin=500'],
    ['MUSTER_PATCH_HOSTS', 'https://vendor.example.org'],
    ['MUSTER_PATCH_HOSTS', 'vendor.example.org/patches'],
    ['MUSTER_PATCH_HOSTS', '*.org'],
    ['MUSTER_PATCH_PRIVATE_HOSTS', 'mirror.example.org:0'],
    ['MUSTER_PATCH_SIZE_LIMIT', '0'],
    ['MUSTER_TRUSTED_KEYS', 'no-such-file.pub'],
    ['MUSTER_TRUSTED_KEYS', 'RWnonsense'],
    ['MUSTER_FOUR_EYES', 'yes'],
    ['MUSTER_WAKE_ADDRESS', 'relay.example.org'],
    ['MUSTER_WAKE_PORT', '0'],
    ['MUSTER_BOOT_RATE_LIMIT', '-1'],
    ['MUSTER_BOOT_PORT', '65536'],
    ['MUSTER_BOOT_URL', 'boot.example.org'],
    ['MUSTER_BOOT_BINDING', 'subnet'],
    ['MUSTER_BOOT_CONFIRMATION', 'never'],
    ['MUSTER_PUBLIC_URL', 'muster.example.org'],
    ['MUSTER_PUBLIC_URL', 'https://muster.example.org/path'],
    ['MUSTER_PUBLIC_URL', 'https://user:password@muster.example.org'],
    ['MUSTER_JOB_RATE_LIMIT', '-1'],
    ['MUSTER_SESSION_IDLE_MINUTES', '0'],
    ['MUSTER_SESSION_HOURS', '169'],
    ['MUSTER_LOCAL_SIGN_IN', 'yes'],
    ['MUSTER_SIGN_IN_LINKS', 'yes'],
    ['MUSTER_SIGN_IN_RATE_LIMIT', '-1'],
    ['MUSTER_LOG_LEVEL', 'loud'],
    ['MUSTER_TLS_CERT', '/etc/cert.pem'],
  ])('the invalid setting %s=%s is refused with one sentence that names it', (name, value) => {
    const read = () => readConfiguration({ [name]: value })

    expect(read).toThrow(ConfigurationError)
    expect(read).toThrow(new RegExp(`^.*${name}.*$`))
  })
})
