import { closed, enumOf, nullable, Type, text } from '../../../platform/schema.ts'
import { mailAddressPattern, tlsModes } from '../mail-server.ts'

export const mailAddress = (description: string) =>
  Type.String({ maxLength: 254, pattern: mailAddressPattern, examples: ['it@example.org'], description })

const domainName = (example: string, description: string) =>
  Type.String({ maxLength: 253, pattern: '^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*$', examples: [example], description })

export const mailServerProperties = {
  host: domainName('smtp.example.org', 'Name of the server, which its certificate confirms'),
  port: Type.Integer({ minimum: 1, maximum: 65_535, examples: [587] }),
  tlsMode: enumOf(tlsModes, {
    description:
      'StartTls: the connection begins without encryption, and nothing is sent before it has one. Implicit: it begins with it',
  }),
  userName: nullable(text(255, 'muster', 'Null: the server asks for no user')),
  fromAddress: mailAddress('The sender of mails'),
  recipientDomains: Type.Array(domainName('example.org', 'A domain'), {
    minItems: 1,
    maxItems: 100,
    description: 'Mails are sent to addresses in these domains only',
  }),
  caCertificates: nullable(
    text(
      100_000,
      '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----',
      'PEM certificates of the authority of the server, if it is none that everybody trusts',
    ),
  ),
}

const { userName, caCertificates, ...required } = mailServerProperties

export const MailServer = closed(
  {
    ...mailServerProperties,
    hasPassword: Type.Boolean({ examples: [true], description: 'The password itself is never shown' }),
  },
  { title: 'MailServer' },
)

export const SetMailServerRequest = closed(
  {
    ...required,
    userName: Type.Optional(userName),
    caCertificates: Type.Optional(caCertificates),
    password: Type.Optional(
      nullable({
        ...text(
          1_000,
          'correct horse battery staple',
          'Stored encrypted. If it is missing, the server keeps the password that it has; it must be given again for another host, port or user',
        ),
        writeOnly: true,
      }),
    ),
  },
  { title: 'SetMailServerRequest' },
)

export const MailTestRequest = closed(
  { recipient: mailAddress('Who gets the mail') },
  { title: 'TestMailServerRequest' },
)

export const MailTest = closed(
  {
    error: nullable(
      Type.String({
        examples: ['The mail could not be sent: connect ECONNREFUSED 192.0.2.7:587'],
        description: 'Null if the server took the mail',
      }),
    ),
  },
  { title: 'MailServerTest' },
)
