/** How a computer is added: by the agent of Muster, or by an agent that it already has. */
export const platforms = [
  'linux',
  'linuxGlpi',
  'linuxFusion',
  'windowsGlpi',
  'windowsFusion',
  'macGlpi',
  'macFusion',
] as const

export type Platform = (typeof platforms)[number]

const isLoopback = (hostname: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

/** Plain http to another computer: the agent refuses it unless it is allowed explicitly. */
export const isInsecure = ({ protocol, hostname }: { protocol: string; hostname: string }) =>
  protocol === 'http:' && !isLoopback(hostname)

type Service = { origin: string; protocol: string; hostname: string }

/** The commands of docs/guides/agent.md and docs/guides/existing-agents.md, with the address of this service. */
export function commandsFor(platform: Platform, service: Service, token: string): string {
  const { origin } = service
  const server = `${origin}/agent/fusion/${token}`
  const registry = (key: string, name: string) =>
    [`reg add HKLM\\SOFTWARE\\${key} /v server /d ${server} /f`, `net stop ${name} & net start ${name}`].join('\n')
  const replaceServer = (file: string) => `sed -i.bak '/^server *=/d' ${file}\necho 'server = ${server}' >> ${file}`
  const commands: Record<Platform, string> = {
    linux: [
      'cd /opt/muster && npm install --omit=dev',
      `MUSTER_AGENT_TOKEN=${token} npm run agent -- enrol --server ${origin}${isInsecure(service) ? ' --insecure' : ''}`,
      'cp agent/muster-agent.service /etc/systemd/system/',
      'systemctl enable --now muster-agent',
    ].join('\n'),
    linuxGlpi: `echo 'server = ${server}' > /etc/glpi-agent/conf.d/muster.cfg\nsystemctl restart glpi-agent`,
    linuxFusion: `${replaceServer('/etc/fusioninventory/agent.cfg')}\nsystemctl restart fusioninventory-agent`,
    windowsGlpi: registry('GLPI-Agent', 'glpi-agent'),
    windowsFusion: registry('FusionInventory-Agent', 'FusionInventory-Agent'),
    macGlpi: `echo 'server = ${server}' > /Applications/GLPI-Agent/etc/conf.d/muster.cfg\nlaunchctl stop com.teclib.glpi-agent`,
    macFusion: `${replaceServer('/opt/fusioninventory-agent/agent.cfg')}\nlaunchctl stop org.fusioninventory.agent`,
  }
  return commands[platform]
}
