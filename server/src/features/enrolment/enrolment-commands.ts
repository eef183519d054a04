/** How a computer is added: by the agent of Muster, or by an agent that it already has. */
export type EnrolmentCommands = {
  linux: string
  linuxGlpi: string
  linuxFusion: string
  windows: string
  windowsGlpi: string
  windowsFusion: string
  macGlpi: string
  macFusion: string
}

/** What the service has to install agents from. */
export type ServedAgents = { hasLinuxPackage: boolean; windowsInstaller: { sha256: string } | undefined }

/** Where the programs of Windows are. Without it, cmd looks for them in the current folder first. */
const system = '%SystemRoot%\\System32\\'

/** The commands that enrol a computer, to be run as root or in an elevated prompt. */
export function enrolmentCommands(origin: string, token: string, served: ServedAgents): EnrolmentCommands {
  const server = `${origin}/agent/fusion/${token}`
  const registry = (key: string, service: string) =>
    [
      `${system}reg.exe add HKLM\\SOFTWARE\\${key} /v server /d ${server} /f`,
      `${system}net.exe stop ${service} & ${system}net.exe start ${service}`,
    ].join('\n')
  const replaceServer = (file: string) => `sed -i.bak '/^server *=/d' ${file}\necho 'server = ${server}' >> ${file}`
  return {
    linux: served.hasLinuxPackage ? installCommand(origin, token) : enrolCommand(origin, token),
    linuxGlpi: `echo 'server = ${server}' > /etc/glpi-agent/conf.d/muster.cfg\nsystemctl restart glpi-agent`,
    linuxFusion: `${replaceServer('/etc/fusioninventory/agent.cfg')}\nsystemctl restart fusioninventory-agent`,
    windows: windowsCommand(origin, token, served.windowsInstaller?.sha256),
    windowsGlpi: registry('GLPI-Agent', 'glpi-agent'),
    windowsFusion: registry('FusionInventory-Agent', 'FusionInventory-Agent'),
    macGlpi: `echo 'server = ${server}' > /Applications/GLPI-Agent/etc/conf.d/muster.cfg\nlaunchctl stop com.teclib.glpi-agent`,
    macFusion: `${replaceServer('/opt/fusioninventory-agent/agent.cfg')}\nlaunchctl stop org.fusioninventory.agent`,
  }
}

/**
 * The script is complete before it runs. The token reaches it through a pipe: printf is part of the shell, so no
 * process has the token among its arguments, which all users of a computer can see.
 */
function installCommand(origin: string, token: string): string {
  const options = isInsecure(origin) ? ' install --insecure' : ''
  return `script=$(curl -fsSL ${origin}/install/linux.sh) && printf %s ${token} | sudo sh -c "$script"${options}`
}

/** For an agent that is installed already. */
function enrolCommand(origin: string, token: string): string {
  const options = isInsecure(origin) ? ' --insecure' : ''
  return `MUSTER_AGENT_TOKEN=${token} muster-agent enrol --server ${origin}${options} && systemctl start muster-agent`
}

/**
 * One line for cmd. It uses a folder that only administrators can write to, so nobody replaces the file between its
 * check and its installation. The token is in a variable, because audits of processes and logs of msiexec record arguments.
 * Without an installer in the package store, the file must be in the current folder.
 */
function windowsCommand(origin: string, token: string, sha256: string | undefined): string {
  const install = `start /wait ${system}msiexec.exe /i muster-agent.msi /qn`
  const steps =
    sha256 === undefined
      ? [install]
      : [
          'cd /d "%ProgramFiles%"',
          `${system}curl.exe -fsSLo muster-agent.msi ${origin}/install/files/${sha256}`,
          `${system}certutil.exe -hashfile muster-agent.msi SHA256 | ${system}find.exe "${sha256}"`,
          install,
          'del muster-agent.msi',
        ]
  // A space before '&&' would become a part of the value.
  const enrol = `set MUSTER_AGENT_TOKEN=${token}&& "%ProgramFiles%\\Muster\\muster-agent" enrol --server ${origin}`
  const options = isInsecure(origin) ? ' --insecure' : ''
  const end = '|| echo The agent is not installed or not enrolled. & set MUSTER_AGENT_TOKEN='
  return `${[...steps, enrol].join(' && ')}${options} ${end}`
}

/** Plain http to another computer: the agent refuses it unless it is allowed explicitly. */
export function isInsecure(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}
