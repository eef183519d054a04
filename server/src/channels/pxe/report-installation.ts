import { recordOsInstallation } from '../../features/os-deployment/record-os-installation.ts'
import { noContent, operation } from '../../platform/operation.ts'
import { closed, enumOf, nullable, Type, text } from '../../platform/schema.ts'

export const reportInstallation = operation({
  id: 'reportInstallation',
  route: 'POST /boot/report/:token',
  summary: 'Say how the installation of an operating system ended',
  description: 'After it the computer boots from its disk again. A second report changes nothing.',
  role: 'machine',
  rateLimit: ({ bootRateLimit }) => bootRateLimit,
  params: closed({ token: text(255, 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxNyJ9.c2lnbmF0dXJl', 'As in the boot script') }),
  body: closed({
    status: enumOf(['Success', 'Failed']),
    message: Type.Optional(nullable(text(4_000, 'The disk is too small.'))),
  }),
  returns: noContent,
  async handle({ body, db, machine }) {
    await recordOsInstallation(db, machine.clientId, { status: body.status, message: body.message ?? null })
  },
})
