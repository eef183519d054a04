import type { Platform } from '../scenario.ts'

export type ServiceDefinition = { name: string; displayName: string; startMode: string; account: string }

/** Parses one service per line: name, display name, start mode, account. */
function parseServices(lines: string): ServiceDefinition[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', displayName = '', startMode = '', account = ''] = line.split('|').map((part) => part.trim())
      return { name, displayName, startMode, account }
    })
}

export const serviceCatalog: Record<Platform, readonly ServiceDefinition[]> = {
  windows: parseServices(`
    BITS | Background Intelligent Transfer Service | Manual | LocalSystem
    BFE | Base Filtering Engine | Auto | NT AUTHORITY\\LocalService
    CryptSvc | Cryptographic Services | Auto | NT AUTHORITY\\NetworkService
    DcomLaunch | DCOM Server Process Launcher | Auto | LocalSystem
    Dhcp | DHCP Client | Auto | NT AUTHORITY\\LocalService
    Dnscache | DNS Client | Auto | NT AUTHORITY\\NetworkService
    EventLog | Windows Event Log | Auto | NT AUTHORITY\\LocalService
    gpsvc | Group Policy Client | Auto | LocalSystem
    LanmanServer | Server | Auto | LocalSystem
    LanmanWorkstation | Workstation | Auto | NT AUTHORITY\\NetworkService
    mpssvc | Windows Defender Firewall | Auto | NT AUTHORITY\\LocalService
    MusterAgent | Muster Agent | Auto | LocalSystem
    Netlogon | Netlogon | Auto | LocalSystem
    PlugPlay | Plug and Play | Manual | LocalSystem
    ProfSvc | User Profile Service | Auto | LocalSystem
    RemoteRegistry | Remote Registry | Disabled | NT AUTHORITY\\LocalService
    RpcSs | Remote Procedure Call (RPC) | Auto | NT AUTHORITY\\NetworkService
    SamSs | Security Accounts Manager | Auto | LocalSystem
    Schedule | Task Scheduler | Auto | LocalSystem
    SENS | System Event Notification Service | Auto | LocalSystem
    Spooler | Print Spooler | Auto | LocalSystem
    TermService | Remote Desktop Services | Manual | NT AUTHORITY\\NetworkService
    Themes | Themes | Auto | LocalSystem
    W32Time | Windows Time | Manual | NT AUTHORITY\\LocalService
    WinDefend | Microsoft Defender Antivirus Service | Auto | LocalSystem
    WinRM | Windows Remote Management (WS-Management) | Manual | NT AUTHORITY\\NetworkService
    wuauserv | Windows Update | Manual | LocalSystem
    WSearch | Windows Search | Auto | LocalSystem`),
  linux: parseServices(`
    cron | Regular background program processing daemon | Auto | root
    dbus | D-Bus System Message Bus | Manual | messagebus
    getty@tty1 | Getty on tty1 | Auto | root
    muster-agent | Muster Agent | Auto | root
    networking | Raise network interfaces | Auto | root
    nftables | nftables | Auto | root
    rsyslog | System Logging Service | Auto | root
    ssh | OpenBSD Secure Shell server | Auto | root
    systemd-journald | Journal Service | Manual | root
    systemd-logind | User Login Management | Manual | root
    systemd-timesyncd | Network Time Synchronization | Auto | systemd-timesync
    systemd-udevd | Rule-based Manager for Device Events and Files | Manual | root
    unattended-upgrades | Unattended Upgrades Shutdown | Auto | root`),
  macos: parseServices(`
    com.apple.AirPlayXPCHelper | AirPlay | Auto | root
    com.apple.bluetoothd | Bluetooth | Auto | root
    com.apple.mDNSResponder | Bonjour | Auto | _mdnsresponder
    com.apple.softwareupdated | Software Update | Auto | root
    com.apple.sshd | Remote Login | Manual | root
    com.apple.timed | Time | Auto | _timed
    com.apple.xprotectd | XProtect | Auto | root
    org.cups.cupsd | Printing | Auto | root
    org.muster.agent | Muster Agent | Auto | root`),
}
