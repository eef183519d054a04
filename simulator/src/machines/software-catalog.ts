import type { Platform } from '../scenario.ts'
import type { Department } from './people.ts'

/** Packages of Linux are built from a source package, which is named like them unless `source` says otherwise. */
export type Product = { name: string; publisher: string; version: string; source?: string }

/** Parses one product per line: name, publisher, initial version, source package. */
function products(lines: string): Product[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', publisher = '', version = '', source] = line.split('|').map((part) => part.trim())
      return { name, publisher, version, ...(source && { source }) }
    })
}

/** Software that every computer of a platform has. */
export const common: Record<Platform, readonly Product[]> = {
  windows: products(`
    Microsoft Edge | Microsoft Corporation | 131.0.2903
    Microsoft Edge WebView2 Runtime | Microsoft Corporation | 131.0.2903
    Microsoft 365 Apps for enterprise | Microsoft Corporation | 16.0.18129
    Microsoft OneDrive | Microsoft Corporation | 24.226.1110
    Microsoft Teams | Microsoft Corporation | 24.295.605
    Microsoft Visual C++ 2015-2022 Redistributable (x64) | Microsoft Corporation | 14.42.34433
    Microsoft .NET Runtime 8 (x64) | Microsoft Corporation | 8.0.11
    Google Chrome | Google LLC | 131.0.6778
    Mozilla Firefox ESR (x64) | Mozilla | 128.5.0
    Adobe Acrobat Reader | Adobe | 24.4.20272
    7-Zip (x64) | Igor Pavlov | 24.8.0
    Notepad++ (64-bit x64) | Notepad++ Team | 8.7.2
    VLC media player | VideoLAN | 3.0.21
    Cisco Secure Client | Cisco Systems, Inc. | 5.1.6
    KeePassXC | KeePassXC Team | 2.7.9
    Greenshot | Greenshot | 1.2.10
    Zoom Workplace (64-bit) | Zoom | 6.2.11
    Realtek Audio Driver | Realtek Semiconductor Corp. | 6.0.9618
    Intel(R) Management Engine Components | Intel Corporation | 2408.5.4
    Muster Agent | Muster | 0.1.0`),
  linux: products(`
    apt | Debian | 2.6.1
    base-files | Debian | 12.4.8
    bash | GNU | 5.2.15
    ca-certificates | Debian | 2024.12.0
    coreutils | GNU | 9.1.0
    cron | Debian | 3.0.162
    curl | Debian | 7.88.14
    dbus | freedesktop.org | 1.14.10
    gzip | GNU | 1.12.1
    less | Debian | 590.2.1
    libc6 | GNU | 2.36.9 | glibc
    libssl3 | OpenSSL | 3.0.15 | openssl
    linux-image | Linux | 6.1.119 | linux
    nftables | Netfilter | 1.0.6
    openssh-client | OpenBSD | 9.2.1 | openssh
    openssh-server | OpenBSD | 9.2.1 | openssh
    openssl | OpenSSL | 3.0.15
    perl-base | Perl | 5.36.0 | perl
    python3 | Python | 3.11.2 | python3-defaults
    rsyslog | Adiscon | 8.2302.0
    sudo | Todd C. Miller | 1.9.13
    systemd | systemd | 252.31.1
    tar | GNU | 1.34.0
    tzdata | IANA | 2024.2.0
    unattended-upgrades | Debian | 2.9.1
    vim-tiny | Vim | 9.0.1378 | vim
    wget | GNU | 1.21.3
    xz-utils | Tukaani | 5.4.1
    zlib1g | zlib | 1.2.13 | zlib
    muster-agent | Muster | 0.1.0`),
  macos: products(`
    Safari | Apple Inc. | 18.2.0
    Microsoft Outlook | Microsoft Corporation | 16.92.24120
    Microsoft Word | Microsoft Corporation | 16.92.24120
    Microsoft Excel | Microsoft Corporation | 16.92.24120
    Microsoft Teams | Microsoft Corporation | 24.295.605
    Google Chrome | Google LLC | 131.0.6778
    Firefox | Mozilla | 133.0.3
    Slack | Slack Technologies LLC | 4.41.105
    1Password | AgileBits Inc. | 8.10.54
    Zoom Workplace | Zoom | 6.2.11
    Rectangle | Ryan Hanson | 0.84.0
    Keka | aONe | 1.4.7
    The Unarchiver | MacPaw Inc. | 4.3.9
    VLC | VideoLAN | 3.0.21
    Muster Agent | Muster | 0.1.0`),
}

/** Additional software that most computers of a department have. */
export const byDepartment: Record<Department, readonly Product[]> = {
  Sales: products(`
    Salesforce Data Loader | Salesforce | 62.0.0
    Citrix Workspace | Citrix Systems, Inc. | 24.9.0
    TeamViewer Host | TeamViewer | 15.60.3
    Power BI Desktop (x64) | Microsoft Corporation | 2.138.782`),
  Finance: products(`
    SAP GUI for Windows 8.00 | SAP SE | 8.0.7
    DATEV Arbeitsplatz | DATEV eG | 17.1.2
    Power BI Desktop (x64) | Microsoft Corporation | 2.138.782
    Citrix Workspace | Citrix Systems, Inc. | 24.9.0`),
  Engineering: products(`
    Git | The Git Development Community | 2.47.1
    Visual Studio Code | Microsoft Corporation | 1.96.0
    Docker Desktop | Docker Inc. | 4.37.0
    Node.js | Node.js Foundation | 22.12.0
    Python 3.12 (64-bit) | Python Software Foundation | 3.12.8
    IntelliJ IDEA | JetBrains s.r.o. | 2024.3.1
    Wireshark x64 | The Wireshark developer community | 4.4.2
    PuTTY | Simon Tatham | 0.81.0
    Postman | Postman | 11.21.0`),
  Design: products(`
    Adobe Photoshop 2025 | Adobe Inc. | 26.1.0
    Adobe Illustrator 2025 | Adobe Inc. | 29.1.0
    Adobe InDesign 2025 | Adobe Inc. | 20.0.1
    Figma | Figma, Inc. | 124.6.5
    Blender | Blender Foundation | 4.3.1`),
  Support: products(`
    TeamViewer | TeamViewer | 15.60.3
    Wireshark x64 | The Wireshark developer community | 4.4.2
    PuTTY | Simon Tatham | 0.81.0
    WinSCP | Martin Prikryl | 6.3.6
    Sysinternals Suite | Microsoft Corporation | 2024.11.0`),
  Production: products(`
    Siemens SIMATIC STEP 7 | Siemens AG | 17.0.8
    Zebra Setup Utilities | Zebra Technologies | 1.1.9
    SAP GUI for Windows 8.00 | SAP SE | 8.0.7
    Java 8 Update 431 (64-bit) | Oracle Corporation | 8.0.4310`),
}

/** Software of servers, in place of that of a department. */
export const onServers: Record<Platform, readonly Product[]> = {
  windows: products(`
    Microsoft SQL Server 2019 (64-bit) | Microsoft Corporation | 15.0.4410
    SQL Server Management Studio | Microsoft Corporation | 20.2.30
    Veeam Agent for Microsoft Windows | Veeam Software Group | 6.3.0
    VMware Tools | VMware, Inc. | 12.5.0
    PowerShell 7-x64 | Microsoft Corporation | 7.4.6
    Muster Agent | Muster | 0.1.0`),
  linux: products(`
    nginx | nginx | 1.22.1
    postgresql-15 | PostgreSQL | 15.10.0
    docker.io | Docker | 20.10.24
    fail2ban | fail2ban | 1.0.2
    prometheus-node-exporter | Prometheus | 1.5.0
    open-vm-tools | VMware | 12.2.0
    pm2 | npm | 5.0.0
    ansible-core | PyPI | 2.13.0`),
  macos: [],
}
