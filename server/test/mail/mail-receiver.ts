import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { generate } from 'selfsigned'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll } from 'vitest'

export type ReceivedMail = Email & {
  envelope: { from: string; to: string[] }
  user: string | undefined
  isSecure: boolean
}

async function certificateOf(name: string) {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    keySize: 2048,
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: name }] },
    ],
  })
  return { cert, key }
}

/** A mail server on this machine that takes mails of one user, whose password is `open sesame`. */
export async function openMailReceiver(options: SMTPServerOptions = {}, name = 'localhost') {
  const received: ReceivedMail[] = []
  const refusals: string[] = []
  const certificate = await certificateOf(name)
  const server = new SMTPServer({
    ...certificate,
    authMethods: ['PLAIN', 'LOGIN'],
    onAuth({ username, password }, _session, done) {
      if (password === 'open sesame') return done(null, { user: username ?? '' })
      done(new Error('The password is wrong.'))
    },
    onRcptTo(_address, _session, done) {
      const refusal = refusals.shift()
      done(refusal === undefined ? null : new Error(refusal))
    },
    async onData(stream, session, done) {
      const parts: Buffer[] = []
      for await (const part of stream) parts.push(part as Buffer)
      const { mailFrom, rcptTo } = session.envelope
      received.push({
        ...(await PostalMime.parse(Buffer.concat(parts))),
        envelope: { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) },
        user: session.user as string | undefined,
        isSecure: session.secure,
      })
      done()
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return {
    received,
    /** Refuses the next recipients. */
    refuse: (...messages: string[]) => refusals.push(...messages),
    settings: {
      host: 'localhost',
      port,
      tlsMode: options.secure ? ('Implicit' as const) : ('StartTls' as const),
      userName: 'muster',
      password: 'open sesame',
      fromAddress: 'muster@example.org',
      recipientDomains: ['example.org'],
      caCertificates: certificate.cert,
    },
  }
}
