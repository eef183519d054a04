import { publicOriginOf } from '../../../platform/http/public-origin.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { Type } from '../../../platform/schema.ts'
import { findAgentPackage } from '../agent-package.ts'
import { buildInstallScript } from '../install-script.ts'
import { agentPackageMissing } from './problems.ts'

export const getInstallScript = operation({
  id: 'getInstallScript',
  route: 'GET /install/linux.sh',
  summary: 'Get the script that installs the agent on Linux',
  description:
    'The script downloads the agent for its architecture from the package that an administrator has designated, checks its hash and, if the service has trusted keys, its signature, then enrols the computer. It contains no secret.',
  role: 'no token',
  rateLimit: ({ bootRateLimit }) => bootRateLimit,
  returns: ok(Type.String({ examples: ['#!/bin/sh\n'] })),
  answerType: 'text/plain; charset=utf-8',
  problems: [agentPackageMissing],
  extension: true,
  async handle({ db, services: { configuration }, request, setHeader }) {
    const agent = await findAgentPackage(db, configuration, 'Linux')
    if (!agent) throw agentPackageMissing()
    // Another designation changes it.
    setHeader('cache-control', 'no-cache')
    const { trustedKeys } = configuration
    return buildInstallScript({ origin: publicOriginOf(configuration, request), agent, trustedKeys })
  },
})
