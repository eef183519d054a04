// Generated from docs/reference/agent-v1.json by `npm run agent:types`; do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** AgentContact */
        AgentContact: {
            /**
             * Format: uuid
             * @description Random id of the agent process; a restarted agent chooses a new one
             * @example 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11
             */
            runId: string;
            /**
             * @description Version of the agent
             * @example 0.1.0
             */
            agentVersion: string;
            /**
             * @description Platform of the computer
             * @example Linux
             */
            platform: string;
            /**
             * @description PreOs when the agent runs before an operating system is installed; it then gets only pre-OS packages
             * @enum {string}
             */
            environment: "OperatingSystem" | "PreOs";
            /**
             * Format: date-time
             * @description When the computer last started
             * @example 2026-03-14T09:26:53.000Z
             */
            bootTimeUtc: string;
            /**
             * @description The operating system needs a reboot
             * @example false
             */
            rebootRequired: boolean;
            /**
             * @description What requires the reboot
             * @example linux-image
             */
            rebootRequiredSource: string | null;
            suspension: components["schemas"]["AgentSuspension"] | null;
            /**
             * @description User who is signed in
             * @example mia
             */
            loggedOnUser: string | null;
            /**
             * @description Address of the computer; null keeps the stored one
             * @example 10.1.2.3
             */
            ipAddress: string | null;
            /**
             * @description Hash of the settings that the agent runs with
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            settingsHash: string | null;
            /**
             * @description Hash of each inventory section that the agent has collected
             * @example {
             *       "system": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
             *     }
             */
            sections: {
                [key: string]: string;
            };
            /** @description Optional packages that the user has requested */
            wants: string[];
            /**
             * @description This process has none of the work that was handed to it. Work that it has not started is handed out again.
             * @default false
             * @example true
             */
            emptyHanded: boolean;
            /**
             * @description The agent replaces its credential when the answer offers another one
             * @default false
             * @example true
             */
            canRotateCredential: boolean;
            /**
             * @description The agent begins work with the content that the answer carries, without a request for each start
             * @default false
             * @example true
             */
            canStartAtContact: boolean;
            /** @description Results of work items, instead of one request each. They are recorded before work is handed out. */
            results?: components["schemas"]["ContactWorkResult"][];
            /** @description Work items that the agent has. Renews their leases; the answer names those that it must drop. */
            inProgress?: components["schemas"]["ContactWorkProgress"][];
        };
        /** AgentContactAnswer */
        AgentContactAnswer: {
            /**
             * Format: date-time
             * @description Time of the server
             * @example 2026-03-14T09:26:53.000Z
             */
            serverTimeUtc: string;
            /**
             * @description Seconds until the next contact
             * @example 3480.5
             */
            nextContactSeconds: number;
            settings: components["schemas"]["AgentSettings"] | null;
            /** @description Inventory sections that the agent must send */
            sections: string[];
            /** @description Work items that are leased to the agent, in the order to do them */
            work: components["schemas"]["WorkOrder"][];
            environment?: components["schemas"]["WorkEnvironment"];
            /**
             * @description For this long after its contact, the agent may begin work with its content, also what it reported in `inProgress`. Later, it makes contact again first: until then a freeze or a cancellation may have stopped the work.
             * @example 30
             */
            beginWithinSeconds?: number;
            /** @description The reported results that are recorded. The agent reports all others again. */
            results?: components["schemas"]["ContactResultReceipt"][];
            /** @description Work items of `inProgress` that were cancelled or are no longer leased to the agent: it must drop them */
            withdrawn?: number[];
            /** @description Optional packages that the user may request */
            offers: components["schemas"]["WorkOffer"][];
            /**
             * @description The credential to use from now on. The agent stores it before it uses it; the current one ends when it does.
             * @example agent-17.the-next-secret
             */
            credential?: string;
            /**
             * @description Set while the agent is in quarantine: it gets nothing until a person confirms it
             * @example true
             */
            quarantined?: boolean;
        };
        /** AgentCredential */
        AgentCredential: {
            /**
             * Format: int32
             * @description Id of the computer
             * @example 17
             */
            clientId: number;
            /**
             * @description Bearer token for all other calls; it is shown only once
             * @example agent-17.the-secret-is-shown-here-once
             */
            credential: string;
            /**
             * @description The credential opens nothing until a person confirms the agent
             * @example false
             */
            quarantined: boolean;
        };
        /**
         * AgentSettings
         * @description The settings to run with; null when the agent already has them
         */
        AgentSettings: {
            /**
             * @description Hash of the settings; the agent reports it at its next contacts
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * @description The settings of the effective agent template
             * @example {
             *       "contactIntervalMinutes": 60
             *     }
             */
            values: {
                [key: string]: string | number | boolean;
            };
        };
        /**
         * AgentSuspension
         * @description While the agent is suspended it gets no work; null when it is not
         */
        AgentSuspension: {
            /**
             * @description Why the agent is suspended
             * @enum {string}
             */
            mode: "Suspended" | "PresentationMode" | "MaintenanceMode";
            /**
             * Format: date-time
             * @description End of the suspension; null when it is open-ended
             * @example 2026-03-14T09:26:53.000Z
             */
            untilUtc: string | null;
        };
        /** AntivirusInfo */
        AntivirusInfo: {
            /**
             * @description Name of the product
             * @example Contoso Defender
             */
            name: string | null;
            /**
             * @description Version of the product
             * @example 4.18.24010.7
             */
            version: string | null;
            /**
             * @description Real-time protection is on
             * @example true
             */
            isEnabled: boolean | null;
            /**
             * @description The definitions are up to date
             * @example true
             */
            isUpToDate: boolean | null;
            /**
             * Format: date-time
             * @description When the definitions were published
             * @example 2026-03-14T09:26:53.000Z
             */
            definitionsDateUtc: string | null;
        };
        /** BatteriesSection */
        BatteriesSection: {
            /**
             * @description SHA-256 of the content. The agent chooses how to serialise the content, but must do so the same way every time.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description When the agent collected the section, by the clock of its computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            /** @description The complete list; it replaces the stored one */
            items: components["schemas"]["BatteryReport"][];
        };
        /** BatteryReport */
        BatteryReport: {
            /**
             * @description Name of the battery
             * @example BAT0
             */
            name: string | null;
            /**
             * @description Chemistry of the battery
             * @example Lithium-ion
             */
            chemistry: string | null;
            /**
             * @description Manufacturer and serial number
             * @example LGC-5B10W13930
             */
            deviceId: string | null;
            /**
             * @description Status as the computer names it
             * @example Charging
             */
            batteryStatus: string | null;
            /**
             * Format: int32
             * @description Capacity of a new battery
             * @example 57000
             */
            designedCapacityMwh: number | null;
            /**
             * Format: int32
             * @description Capacity when fully charged
             * @example 48450
             */
            fullChargedCapacityMwh: number | null;
            /**
             * Format: int32
             * @description Wear level: full charge as a percentage of the design, not the charge
             * @example 85
             */
            remainingCapacityPercent: number | null;
        };
        /** Bios */
        Bios: {
            /**
             * @description Name of the firmware
             * @example N2WET43W (1.33 )
             */
            caption: string | null;
            /**
             * @description Manufacturer of the firmware
             * @example Contoso
             */
            manufacturer: string | null;
            /**
             * @description Version in the SMBIOS tables
             * @example N2WET43W (1.33 )
             */
            smBiosVersion: string | null;
            /**
             * @description Serial number of the computer
             * @example PF3K9XYZ
             */
            serialNumber: string | null;
            /**
             * @description Version of the firmware
             * @example CONTOSO - 1330
             */
            version: string | null;
            /**
             * @description UUID of the computer
             * @example 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11
             */
            uuid: string | null;
        };
        /** BiosSection */
        BiosSection: {
            /**
             * @description SHA-256 of the content. The agent chooses how to serialise the content, but must do so the same way every time.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description When the agent collected the section, by the clock of its computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            item: components["schemas"]["Bios"];
        };
        /**
         * BitlockerState
         * @description Encryption by BitLocker, or by LUKS under Linux. NotAvailable when the computer cannot determine it.
         * @enum {string}
         */
        BitlockerState: "Encrypted" | "Unencrypted" | "NotAvailable";
        /** ComputerSystem */
        ComputerSystem: {
            /**
             * @description Manufacturer of the computer
             * @example Contoso
             */
            manufacturer: string | null;
            /**
             * @description Model of the computer
             * @example Desk 400
             */
            model: string | null;
        };
        /** ComputerSystemSection */
        ComputerSystemSection: {
            /**
             * @description SHA-256 of the content. The agent chooses how to serialise the content, but must do so the same way every time.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description When the agent collected the section, by the clock of its computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            item: components["schemas"]["ComputerSystem"];
        };
        /** ContactResultReceipt */
        ContactResultReceipt: {
            /**
             * @description Id of the work item
             * @example 4711
             */
            workId: number;
            /**
             * @description Ignored: the report was repeated or outdated and changed nothing. Unknown: the agent never had the work item.
             * @enum {string}
             */
            outcome: "Accepted" | "Ignored" | "Unknown";
        };
        /** ContactWorkProgress */
        ContactWorkProgress: {
            /**
             * @description Id of the work item
             * @example 4711
             */
            workId: number;
            /**
             * @description Number of the attempt, as the contact handed it out
             * @example 1
             */
            attempt: number;
            /**
             * @description How much is done; null when the agent has not begun
             * @example 40
             */
            percent: number | null;
        };
        /** ContactWorkResult */
        ContactWorkResult: {
            /**
             * @description Id of the work item
             * @example 4711
             */
            workId: number;
            /**
             * @description Number of the attempt, as the contact handed it out
             * @example 1
             */
            attempt: number;
            /**
             * @description How the work ended
             * @enum {string}
             */
            status: "Success" | "Failed";
            /**
             * @description State of the software after the work; null when unknown
             * @enum {string|null}
             */
            installationState: "Installed" | "NotInstalled" | "Uninstalled" | null;
            /**
             * @description Exit code of the last command; null when none ran
             * @example 0
             */
            exitCode: number | null;
            /**
             * Format: date-time
             * @description When the agent started the work
             * @example 2026-03-14T09:26:53.000Z
             */
            startedUtc: string;
            /**
             * Format: date-time
             * @description When the work ended
             * @example 2026-03-14T09:26:53.000Z
             */
            finishedUtc: string;
            /**
             * @description The last command that ran
             * @example sh install.sh
             */
            commandLine: string | null;
            /**
             * @description The end of the output of the command; report longer ones by reportResult
             * @example Done.
             */
            output: string;
            /**
             * @description Why the work failed, for people
             * @example There is no space left on the disk.
             */
            errorText: string | null;
            /**
             * @description The computer needs a reboot
             * @example false
             */
            rebootRequired: boolean;
        };
        /** DesktopMonitor */
        DesktopMonitor: {
            /**
             * @description Description of the monitor
             * @example Contoso 24
             */
            caption: string | null;
            /**
             * @description Manufacturer of the monitor
             * @example Contoso
             */
            manufacturer: string | null;
            /**
             * @description Digital or Analog
             * @example Digital
             */
            monitorType: string | null;
            /**
             * @description Name of the monitor
             * @example Contoso 24
             */
            monitorName: string | null;
            /**
             * @description Serial number of the monitor
             * @example CN0123456
             */
            serialNumber: string | null;
            /**
             * @description Vendor code of three letters
             * @example CTO
             */
            vendorId: string | null;
            /**
             * @description Diagonal in inches
             * @example 24.1
             */
            monitorSize: string | null;
            /**
             * Format: int32
             * @description Width in pixels
             * @example 1920
             */
            screenWidth: number | null;
            /**
             * Format: int32
             * @description Height in pixels
             * @example 1200
             */
            screenHeight: number | null;
            /**
             * Format: int32
             * @description Horizontal pixel density
             * @example 96
             */
            pixelsPerXLogicalInch: number | null;
            /**
             * Format: int32
             * @description Vertical pixel density
             * @example 96
             */
            pixelsPerYLogicalInch: number | null;
            /**
             * Format: int32
             * @description Year of manufacture
             * @example 2023
             */
            manufacturingYear: number | null;
            /**
             * Format: int32
             * @description Week of manufacture
             * @example 17
             */
            manufacturingWeek: number | null;
        };
        /**
         * DetectDpkg
         * @description Debian and its relatives: an installed package
         */
        DetectDpkg: {
            /**
             * @description Name of the package, with its architecture if several are installed
             * @example hello
             */
            package: string;
            /**
             * @description Installed is exactly this version.
             * @example 1.2.0
             */
            version?: string;
            /**
             * @description Installed is this version or a later one.
             * @example 1.2.0
             */
            minVersion?: string;
        };
        /**
         * DetectFile
         * @description A file or folder. Only on Windows does a file have a version.
         */
        DetectFile: {
            /**
             * @description Absolute path. On Windows, variables of the environment are replaced.
             * @example %ProgramFiles%\Greeting\greeting.exe
             */
            path: string;
            /**
             * @description Installed is exactly this version.
             * @example 1.2.0
             */
            version?: string;
            /**
             * @description Installed is this version or a later one.
             * @example 1.2.0
             */
            minVersion?: string;
        };
        /**
         * DetectMsi
         * @description Windows: a product that Windows Installer has installed
         */
        DetectMsi: {
            /**
             * @description Product code, with braces
             * @example {8D3A4F0C-5A0B-4B43-9C1E-0D1E5B6A7F21}
             */
            productCode: string;
            /**
             * @description Installed is exactly this version.
             * @example 1.2.0
             */
            version?: string;
            /**
             * @description Installed is this version or a later one.
             * @example 1.2.0
             */
            minVersion?: string;
        };
        /**
         * DetectRegistry
         * @description Windows: a key of the registry, or one of its values
         */
        DetectRegistry: {
            /**
             * @description A key below HKLM or HKU. HKCU would be that of the account of the agent.
             * @example HKLM\SOFTWARE\Example\Greeting
             */
            key: string;
            /**
             * @description Which programs see the key: those with 32 or with 64 bits. The agent never guesses.
             * @enum {string}
             */
            view: "32" | "64";
            /**
             * @description Name of a value of the key; empty for its default value. Without it, the key is enough.
             * @example Version
             */
            value?: string;
            /**
             * @description The value is exactly this text.
             * @example yes
             */
            equals?: string;
            /**
             * @description Installed is exactly this version.
             * @example 1.2.0
             */
            version?: string;
            /**
             * @description Installed is this version or a later one.
             * @example 1.2.0
             */
            minVersion?: string;
        };
        /** DiskDriveReport */
        DiskDriveReport: {
            /**
             * @description Drive letter or mount point
             * @example C:
             */
            volume: string;
            /**
             * Format: int32
             * @description 2 removable, 3 fixed, 4 network, 5 optical, 6 memory; 0 and 1 unknown
             * @example 3
             */
            driveTypeCode: number;
            /**
             * @description Size of the volume
             * @example 237.9
             */
            totalSpaceGb: number | null;
            /**
             * @description Free space of the volume
             * @example 101.3
             */
            freeSpaceGb: number | null;
            /**
             * @description Label of the volume
             * @example System
             */
            label: string | null;
            bitlockerStatus: components["schemas"]["BitlockerState"];
            /**
             * @description What unlocks the volume, separated by commas
             * @example Tpm, RecoveryPassword
             */
            bitlockerKeyProtectors: string | null;
        };
        /** DisksSection */
        DisksSection: {
            /**
             * @description SHA-256 of the content. The agent chooses how to serialise the content, but must do so the same way every time.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description When the agent collected the section, by the clock of its computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            /** @description The complete list; it replaces the stored one */
            items: components["schemas"]["DiskDriveReport"][];
        };
        /**
         * EnrolmentAgent
         * @description The agent itself
         */
        EnrolmentAgent: {
            /**
             * @description Version of the agent
             * @example 0.1.0
             */
            version: string;
            /**
             * @description Platform of the agent
             * @example Linux
             */
            platform: string;
        };
        /**
         * EnrolmentComputer
         * @description The computer on which the agent runs; a UUID or a MAC address is required
         */
        EnrolmentComputer: {
            /**
             * @description Name of the computer
             * @example till-7
             */
            name: string;
            /**
             * @description Domain or workgroup of the computer
             * @example corp.example.org
             */
            domain: string;
            /**
             * @description Whether `domain` is a domain, not a workgroup
             * @example true
             */
            isDomain: boolean;
            /**
             * Format: uuid
             * @description UUID of the firmware
             * @example 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11
             */
            uuid: string | null;
            /**
             * @description MAC address of the main network adapter
             * @example 02:00:5e:00:53:17
             */
            macAddress: string | null;
        };
        /** EnrolmentRequest */
        EnrolmentRequest: {
            /**
             * @description An enrolment token, or the re-enrolment code of the computer
             * @example enrol-the-token-that-was-shown-once
             */
            token: string;
            /**
             * @description Random text that the agent stores before its first call and sends with every repetition
             * @example a-random-text-that-the-agent-keeps-for-itself
             */
            enrolmentKey: string;
            /**
             * @description The token of the boot script with which Muster installs the computer, if an installer enrols the agent
             * @example eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxNyJ9.c2lnbmF0dXJl
             */
            installation?: string | null;
            computer: components["schemas"]["EnrolmentComputer"];
            agent: components["schemas"]["EnrolmentAgent"];
        };
        /** FirewallStatus */
        FirewallStatus: {
            /**
             * @description Name of the firewall; under Linux ufw, firewalld or nftables
             * @example Windows Firewall
             */
            name: string | null;
            /**
             * @description The firewall is on, in all of its profiles
             * @example true
             */
            isEnabled: boolean | null;
            /**
             * @description The domain profile is on; only Windows has profiles
             * @example true
             */
            domainProfileEnabled: boolean | null;
            /**
             * @description The private profile is on
             * @example true
             */
            privateProfileEnabled: boolean | null;
            /**
             * @description The public profile is on
             * @example true
             */
            publicProfileEnabled: boolean | null;
        };
        /** InstalledSoftware */
        InstalledSoftware: {
            /**
             * @description Name of the product
             * @example Example Editor
             */
            productName: string;
            /**
             * @description Version of the product
             * @example 4.2.1
             */
            version: string | null;
            /**
             * @description Publisher of the product
             * @example Contoso
             */
            publisher: string | null;
        };
        /** InstalledSoftwareSection */
        InstalledSoftwareSection: {
            /**
             * @description SHA-256 of the content. The agent chooses how to serialise the content, but must do so the same way every time.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description When the agent collected the section, by the clock of its computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            /** @description The complete list; it replaces the stored one */
            items: components["schemas"]["InstalledSoftware"][];
        };
        /** InventoryReport */
        InventoryReport: {
            /** @description The changed sections by name */
            sections: {
                system?: components["schemas"]["SystemSection"];
                bios?: components["schemas"]["BiosSection"];
                computerSystem?: components["schemas"]["ComputerSystemSection"];
                disks?: components["schemas"]["DisksSection"];
                networkAdapters?: components["schemas"]["NetworkAdaptersSection"];
                batteries?: components["schemas"]["BatteriesSection"];
                printers?: components["schemas"]["PrintersSection"];
                videoControllers?: components["schemas"]["VideoControllersSection"];
                monitors?: components["schemas"]["MonitorsSection"];
                processors?: components["schemas"]["ProcessorsSection"];
                installedSoftware?: components["schemas"]["InstalledSoftwareSection"];
                services?: components["schemas"]["ServicesSection"];
                security?: components["schemas"]["SecuritySection"];
            };
        };
        /** MonitorsSection */
        MonitorsSection: {
            /**
             * @description SHA-256 of the content. The agent chooses how to serialise the content, but must do so the same way every time.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description When the agent collected the section, by the clock of its computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            /** @description The complete list; it replaces the stored one */
            items: components["schemas"]["DesktopMonitor"][];
        };
        /** NetworkAdapter */
        NetworkAdapter: {
            /**
             * @description Driver of the adapter
             * @example e1000e
             */
            serviceName: string | null;
            /**
             * @description Name of the adapter
             * @example Ethernet connection I219-LM
             */
            description: string | null;
            /**
             * @description IP addresses, separated by commas
             * @example 192.0.2.17
             */
            ipAddress: string | null;
            /**
             * @description MAC address
             * @example 00:1B:44:11:3A:B7
             */
            macAddress: string | null;
            /**
             * @description Subnet masks, separated by commas
             * @example 255.255.255.0
             */
            subnetMask: string | null;
            /**
             * @description Default gateways, separated by commas
             * @example 192.0.2.1
             */
            defaultGateway: string | null;
            /**
             * @description DNS servers, separated by commas
             * @example 192.0.2.53
             */
            dnsServer: string | null;
            /**
             * @description Kind of connection
             * @example Ethernet
             */
            connectionType: string | null;
            /**
             * @description The adapter gets its address by DHCP
             * @example true
             */
            isDhcp: boolean;
        };
        /** NetworkAdaptersSection */
        NetworkAdaptersSection: {
            /**
             * @description SHA-256 of the content. The agent chooses how to serialise the content, but must do so the same way every time.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description When the agent collected the section, by the clock of its computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            /** @description The complete list; it replaces the stored one */
            items: components["schemas"]["NetworkAdapter"][];
        };
        /** OsInstallationReport */
        OsInstallationReport: {
            /**
             * @description How the installation ended
             * @enum {string}
             */
            status: "Success" | "Failed";
            /**
             * @description Details for people
             * @example The image was applied.
             */
            message: string | null;
        };
        /**
         * PackageCommand
         * @description Runs in the folder of the package, with the system account of the agent.
         */
        PackageCommand: {
            /**
             * @description Program and arguments, run without a shell. Give either argv or shell. No argument is expanded; on Windows, none may mention %MUSTER_VAR_…% or %MUSTER_SECRET_…%.
             * @example [
             *       "sh",
             *       "install.sh"
             *     ]
             */
            argv?: string[];
            /**
             * @description Command line for the shell of the operating system. Give either argv or shell. On Windows, it must not mention %MUSTER_VAR_…% or %MUSTER_SECRET_…%, because cmd would run what it finds in the value.
             * @example sh install.sh
             */
            shell?: string;
            /**
             * @description After this time the command is stopped and counts as failed.
             * @default 60
             * @example 30
             */
            timeLimitMinutes: number;
            /**
             * @description Return codes that mean success. For detect: the software is installed.
             * @default [
             *       0
             *     ]
             * @example [
             *       0
             *     ]
             */
            successCodes: number[];
            /**
             * @description Return codes that mean success once the computer is restarted.
             * @default []
             * @example []
             */
            rebootCodes: number[];
        };
        /**
         * PackageCommands
         * @description install is required, unless the package has msi.
         */
        PackageCommands: {
            install?: components["schemas"]["PackageCommand"];
            update?: components["schemas"]["PackageCommand"];
            uninstall?: components["schemas"]["PackageCommand"];
            detect?: components["schemas"]["PackageDetection"];
        };
        /**
         * PackageDetection
         * @description How the agent finds out whether the software is installed: a command, or one of the declared forms.
         */
        PackageDetection: {
            /**
             * @description Program and arguments, run without a shell. Give either argv or shell. No argument is expanded; on Windows, none may mention %MUSTER_VAR_…% or %MUSTER_SECRET_…%.
             * @example [
             *       "sh",
             *       "install.sh"
             *     ]
             */
            argv?: string[];
            /**
             * @description Command line for the shell of the operating system. Give either argv or shell. On Windows, it must not mention %MUSTER_VAR_…% or %MUSTER_SECRET_…%, because cmd would run what it finds in the value.
             * @example sh install.sh
             */
            shell?: string;
            /**
             * @description After this time the command is stopped and counts as failed.
             * @default 60
             * @example 30
             */
            timeLimitMinutes: number;
            /**
             * @description Return codes that mean success. For detect: the software is installed.
             * @default [
             *       0
             *     ]
             * @example [
             *       0
             *     ]
             */
            successCodes: number[];
            /**
             * @description Return codes that mean success once the computer is restarted.
             * @default []
             * @example []
             */
            rebootCodes: number[];
            registry?: components["schemas"]["DetectRegistry"];
            file?: components["schemas"]["DetectFile"];
            msi?: components["schemas"]["DetectMsi"];
            dpkg?: components["schemas"]["DetectDpkg"];
        };
        /**
         * PackageMsi
         * @description The agent installs, updates and removes the MSI file with msiexec, finds it by its product code, and takes the return codes 3010 and 1641 as a restart that must follow. Commands of the package replace these.
         */
        PackageMsi: {
            /**
             * @description MSI file, as a path relative to the folder of the package
             * @example greeting.msi
             */
            file: string;
            /**
             * @description Public properties that the installation gets. The agent replaces variables of the environment such as %NAME%. A value with a quotation mark or a control character fails the work.
             * @default {}
             * @example {
             *       "ALLUSERS": "1"
             *     }
             */
            properties: {
                [key: string]: string;
            };
            /**
             * @description After this time the command is stopped and counts as failed.
             * @default 60
             * @example 30
             */
            timeLimitMinutes: number;
        };
        /**
         * PatchComponent
         * @description The package of a distribution that the patch installs. Advisories about it or its source package describe the patch.
         */
        PatchComponent: {
            /**
             * @description Name of the package
             * @example libssl3
             */
            name: string;
            /**
             * @description Version of the package that the patch installs, with its epoch
             * @example 3.0.16-1~deb12u1
             */
            version: string;
            /**
             * @description The version that the patch replaces
             * @example 3.0.15-1~deb12u1
             */
            installedVersion?: string | null;
            /**
             * @description Name of the source package from which the package is built
             * @example openssl
             */
            sourceName?: string | null;
            /**
             * @description Version of the source package
             * @example 3.0.16-1~deb12u1
             */
            sourceVersion?: string | null;
            /**
             * @description Version of the source package that the patch replaces
             * @example 3.0.15-1~deb12u1
             */
            installedSourceVersion?: string | null;
        };
        /** PatchScanReceipt */
        PatchScanReceipt: {
            /**
             * @description Number of patches that were not stored because a quota is used up
             * @example 0
             */
            ignoredPatches: number;
            /**
             * @description Why patches were ignored
             * @example Patches beyond the quota were ignored.
             */
            message: string | null;
        };
        /** PatchScanReport */
        PatchScanReport: {
            /**
             * Format: date-time
             * @description When the scan ran
             * @example 2026-03-14T09:26:53.000Z
             */
            scannedUtc: string;
            /**
             * Format: date-time
             * @description Date of the patch definitions that the scan used
             * @example 2026-03-14T09:26:53.000Z
             */
            definitionUtc?: string | null;
            /**
             * @description Version of the patch definitions that the scan used
             * @example 2026.03.11
             */
            definitionVersion?: string | null;
            /** @description All installed and missing patches */
            patches: components["schemas"]["ScannedPatch"][];
        };
        /** Printer */
        Printer: {
            /**
             * @description Name of the printer
             * @example Floor 2
             */
            name: string | null;
            /**
             * @description Port or URL of the printer
             * @example ipp://printer.example.org/ipp/print
             */
            port: string | null;
            /**
             * @description Name under which the printer is shared
             * @example floor2
             */
            shareName: string | null;
            /**
             * @description Name of the driver
             * @example Generic PostScript
             */
            driverName: string | null;
            /**
             * @description Version of the driver
             * @example 2.1
             */
            driverVersion: string | null;
            /**
             * @description Comment on the printer
             * @example Next to the kitchen
             */
            comment: string | null;
            /**
             * @description Description of the printer
             * @example Floor 2
             */
            caption: string | null;
            /**
             * @description Capabilities, separated by commas
             * @example Color, Duplex
             */
            capabilityDescriptions: string | null;
            /**
             * @description The printer is reached over the network
             * @example true
             */
            isNetworkPrinter: boolean;
            /**
             * @description The printer is the default printer
             * @example false
             */
            isDefault: boolean;
            /**
             * Format: int32
             * @description Dots per inch
             * @example 600
             */
            horizontalResolution: number | null;
            /**
             * Format: int32
             * @description Dots per inch
             * @example 600
             */
            verticalResolution: number | null;
        };
        /** PrintersSection */
        PrintersSection: {
            /**
             * @description SHA-256 of the content. The agent chooses how to serialise the content, but must do so the same way every time.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description When the agent collected the section, by the clock of its computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            /** @description The complete list; it replaces the stored one */
            items: components["schemas"]["Printer"][];
        };
        /**
         * ProblemDetails
         * @description Problem details (RFC 9457), extended by further properties such as ids of the resources concerned.
         */
        ProblemDetails: {
            /**
             * @description Identifies the type of problem
             * @example urn:muster:problem:PrincipalNotFound
             */
            type: string;
            /**
             * @description Reason phrase of the status
             * @example Not Found
             */
            title: string;
            /** @example 404 */
            status: number;
            /**
             * @description What is wrong with this request
             * @example No principal of this kind has this id.
             */
            detail: string;
            /**
             * @description URL of the request
             * @example /api/admin/principals/17
             */
            instance: string;
            /**
             * @description Identifies the problem for programs; never changes
             * @example PrincipalNotFound
             */
            code: string;
            /**
             * @description For people; the same for every problem with this code
             * @example No principal of this kind has this id.
             */
            message: string;
            /**
             * @description Identifies the request in the log of the service
             * @example 0c5f8f4e-5f0f-4a43-9a51-6e2c7d6a9a10
             */
            requestId: string;
            errors?: {
                /**
                 * @description Part of the request: path, query, header or body
                 * @example body
                 */
                in: string;
                /**
                 * @description Name of the property or parameter
                 * @example colour
                 */
                name: string;
                /**
                 * @description What is wrong with it
                 * @example is an unknown property
                 */
                reason: string;
            }[];
        };
        /** Processor */
        Processor: {
            /**
             * @description Name of the processor
             * @example Contoso Core 7 @ 2.80GHz
             */
            name: string | null;
            /**
             * @description Manufacturer of the processor
             * @example Contoso
             */
            manufacturer: string | null;
            /**
             * @description Identifier of the processor
             * @example BFEBFBFF000806C1
             */
            processorId: string | null;
            /**
             * Format: int32
             * @description Physical cores
             * @example 4
             */
            numberOfCores: number | null;
            /**
             * Format: int32
             * @description Threads of all cores
             * @example 8
             */
            numberOfLogicalProcessors: number | null;
            /**
             * Format: int32
             * @description Maximum clock speed
             * @example 4700
             */
            maxClockSpeedMhz: number | null;
            /**
             * Format: int32
             * @description Clock speed at the time of the inventory
             * @example 2800
             */
            currentClockSpeedMhz: number | null;
        };
        /** ProcessorsSection */
        ProcessorsSection: {
            /**
             * @description SHA-256 of the content. The agent chooses how to serialise the content, but must do so the same way every time.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description When the agent collected the section, by the clock of its computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            /** @description The complete list; it replaces the stored one */
            items: components["schemas"]["Processor"][];
        };
        /** ScannedPatch */
        ScannedPatch: {
            /**
             * @description Identifies the patch in all scans and catalogs
             * @example openssl 3.0.16-1~deb12u1
             */
            key: string;
            /**
             * @description The product version that the patch is for
             * @example Debian GNU/Linux 12
             */
            product: string;
            /**
             * @description Whether the computer has the patch
             * @enum {string}
             */
            status: "Missing" | "Installed";
            /**
             * Format: date-time
             * @description When the patch was installed
             * @example 2026-03-14T09:26:53.000Z
             */
            installedUtc?: string | null;
            /**
             * @description Name for people. This and the following properties are used only when the patch is not known yet
             * @example openssl 3.0.16-1~deb12u1
             */
            name?: string | null;
            /**
             * @description Number of the knowledge base article
             * @example KB5034441
             */
            qNumber?: string | null;
            /**
             * @description Id of the bulletin
             * @example DSA-5532-1
             */
            bulletinId?: string | null;
            /**
             * @description Title of the bulletin
             * @example openssl security update
             */
            title?: string | null;
            /**
             * @description Address of the bulletin
             * @example https://vendor.example.org/advisories/DSA-5532-1
             */
            url?: string | null;
            /**
             * @description Severity as the vendor names it
             * @example Critical
             */
            severity?: string | null;
            /**
             * @description Type of the patch
             * @enum {string|null}
             */
            type?: "SecurityPatch" | "SoftwareDistribution" | "SecurityTool" | "NonSecurityPatch" | "CustomAction" | null;
            /**
             * Format: date
             * @description When the vendor released it
             * @example 2026-03-11
             */
            releaseDate?: string | null;
            /**
             * @description Size of the download
             * @example 2048000
             */
            sizeBytes?: number | null;
            /**
             * @description Vulnerabilities that the patch fixes
             * @example [
             *       "CVE-2026-12345"
             *     ]
             */
            cves?: string[];
            component?: components["schemas"]["PatchComponent"] | null;
        };
        /** ScriptPolicyStatus */
        ScriptPolicyStatus: {
            /**
             * @description What decides which programs may run: PowerShell, SELinux or AppArmor
             * @example PowerShell
             */
            name: string | null;
            /**
             * @description Its setting: an execution policy, or the mode under Linux
             * @example RemoteSigned
             */
            policy: string | null;
        };
        /** SecureBootStatus */
        SecureBootStatus: {
            /**
             * @description The firmware supports Secure Boot; false on computers that boot without UEFI
             * @example true
             */
            isSupported: boolean | null;
            /**
             * @description Secure Boot is on
             * @example true
             */
            isEnabled: boolean | null;
        };
        /** SecurityReport */
        SecurityReport: {
            antivirus: components["schemas"]["AntivirusInfo"];
            firewall: components["schemas"]["FirewallStatus"];
            secureBoot: components["schemas"]["SecureBootStatus"];
            scriptPolicy: components["schemas"]["ScriptPolicyStatus"];
        };
        /** SecuritySection */
        SecuritySection: {
            /**
             * @description SHA-256 of the content. The agent chooses how to serialise the content, but must do so the same way every time.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description When the agent collected the section, by the clock of its computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            item: components["schemas"]["SecurityReport"];
        };
        /** ServicesSection */
        ServicesSection: {
            /**
             * @description SHA-256 of the content. The agent chooses how to serialise the content, but must do so the same way every time.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description When the agent collected the section, by the clock of its computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            /** @description The complete list; it replaces the stored one */
            items: components["schemas"]["WindowsService"][];
        };
        /** StartedWork */
        StartedWork: {
            /**
             * @description The lease ends when the agent reports nothing about the work item for this long
             * @example 900
             */
            leaseSeconds: number;
            commands: components["schemas"]["WorkCommands"];
            declared?: components["schemas"]["WorkDeclaration"];
            /** @description All files of the package, and the stored files of its patches */
            files: components["schemas"]["WorkFile"][];
            /** @description Depots that have the files, in the order in which to try them, before the service itself */
            depots: components["schemas"]["WorkDepot"][];
            /** @description Depots to try after the service itself: those that follow the master server in the failover list of the group */
            depotsAfterServer: components["schemas"]["WorkDepot"][];
            /**
             * @description Effective values by dotted name, without secret variables. Values of collections have the number of their entry in the name, as in Printing.Queues.1.Name; Printing.Queues.Count is the number of entries. A collection with much text has only the count.
             * @example {
             *       "Printing.Server": "print01"
             *     }
             */
            variables: {
                [key: string]: string;
            };
            /**
             * @description The effective entries of collection variables, by dotted name, without secret children
             * @example {
             *       "Printing.Queues": [
             *         {
             *           "Name": "floor-2",
             *           "Colour": "no"
             *         }
             *       ]
             *     }
             */
            collections: {
                [key: string]: {
                    [key: string]: string;
                }[];
            };
            /** @description The patches that a fix package must install: missing on the computer and released to it now. Empty for other packages. */
            patches: components["schemas"]["WorkPatch"][];
            /**
             * @description Effective values of the secret variables that the manifest lists. Values of collections have the number of their entry in the name.
             * @example {
             *       "Licences.Key": "the-key"
             *     }
             */
            secrets: {
                [key: string]: string;
            };
        };
        /** SystemReport */
        SystemReport: {
            /**
             * @description Fully qualified domain name
             * @example pc-0017.corp.example.org
             */
            fqdn: string | null;
            /**
             * @description Full name of the operating system
             * @example Windows 11 Enterprise
             */
            operatingSystem: string | null;
            /**
             * @description Name of the operating system without its edition
             * @example Windows 11
             */
            osName: string | null;
            /**
             * @description Edition of the operating system
             * @example Enterprise
             */
            osEdition: string | null;
            /**
             * @description Version of the operating system
             * @example 10.0.22631
             */
            osVersion: string | null;
            /**
             * @description Build of the operating system, or the kernel version
             * @example 22631
             */
            osBuild: string | null;
            /**
             * @description User who last signed in
             * @example CORP\jdoe
             */
            osLogin: string | null;
            /**
             * @description Windows, Linux or macOS
             * @example Windows
             */
            platform: string | null;
            /**
             * @description Language of the operating system
             * @example en-US
             */
            language: string | null;
            /**
             * @description Processor architecture
             * @example AMD64
             */
            architecture: string | null;
            /**
             * Format: int32
             * @description 32 or 64
             * @example 64
             */
            bitVersion: number | null;
            /**
             * @description Name of the first processor
             * @example Contoso Core 7 @ 2.80GHz
             */
            processorName: string | null;
            /**
             * Format: int32
             * @description Number of processors
             * @example 1
             */
            processorCount: number | null;
            /**
             * Format: int32
             * @description Clock speed of the first processor
             * @example 2800
             */
            processorMhz: number | null;
            /**
             * Format: int32
             * @description Main memory
             * @example 16384
             */
            memoryMb: number | null;
            /**
             * @description Version of the firmware
             * @example N2WET43W (1.33 )
             */
            biosVersion: string | null;
            /**
             * @description Date of the firmware
             * @example 2023-04-17
             */
            biosDate: string | null;
            /**
             * @description Address of the adapter with the default route
             * @example 192.0.2.17
             */
            ipAddress: string | null;
            /**
             * @description User who is signed in
             * @example CORP\jdoe
             */
            loggedOnUser: string | null;
            /**
             * @description The signed-in user is an administrator
             * @example false
             */
            userIsAdmin: boolean | null;
            /**
             * @description Time zone
             * @example Europe/Berlin
             */
            timeZone: string | null;
            /**
             * @description Name of the first graphics card
             * @example Contoso Graphics 620
             */
            displayAdapter: string | null;
            /**
             * @description Screen resolution
             * @example 1920 x 1080
             */
            screenResolution: string | null;
            /**
             * @description Hypervisor or container; null on physical hardware
             * @example KVM
             */
            vmType: string | null;
            /**
             * Format: int32
             * @description Size of the folder for temporary files
             * @example 350
             */
            tempDirSizeMb: number | null;
        };
        /** SystemSection */
        SystemSection: {
            /**
             * @description SHA-256 of the content. The agent chooses how to serialise the content, but must do so the same way every time.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description When the agent collected the section, by the clock of its computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            item: components["schemas"]["SystemReport"];
        };
        /** VideoController */
        VideoController: {
            /**
             * @description Name of the graphics card
             * @example Contoso Graphics 620
             */
            name: string | null;
            /**
             * @description Manufacturer of the graphics card
             * @example Contoso
             */
            adapterCompatibility: string | null;
            /**
             * @description Memory as the computer reports it, usually in bytes
             * @example 1073741824
             */
            adapterRam: string | null;
            /**
             * @description Graphics processor
             * @example Graphics 620
             */
            videoProcessor: string | null;
            /**
             * @description Current video mode
             * @example 1920 x 1080
             */
            videoModeDescription: string | null;
            /**
             * @description Refresh rate as the computer reports it, in Hz
             * @example 60
             */
            currentRefreshRate: string | null;
        };
        /** VideoControllersSection */
        VideoControllersSection: {
            /**
             * @description SHA-256 of the content. The agent chooses how to serialise the content, but must do so the same way every time.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description When the agent collected the section, by the clock of its computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            /** @description The complete list; it replaces the stored one */
            items: components["schemas"]["VideoController"][];
        };
        /**
         * WindowsService
         * @description A Windows service or a systemd unit
         */
        WindowsService: {
            /**
             * @description Name of the service
             * @example Spooler
             */
            name: string;
            /**
             * @description Name of the service for people
             * @example Print Spooler
             */
            displayName: string | null;
            /**
             * @description Status as the computer names it
             * @example Running
             */
            status: string;
            /**
             * @description When the service starts
             * @example Auto
             */
            startMode: string | null;
            /**
             * @description Account under which the service runs
             * @example LocalSystem
             */
            account: string | null;
        };
        /**
         * WorkCommands
         * @description The commands of the package; empty for work without a package
         */
        WorkCommands: {
            install?: components["schemas"]["PackageCommand"];
            update?: components["schemas"]["PackageCommand"];
            uninstall?: components["schemas"]["PackageCommand"];
            detect?: components["schemas"]["PackageCommand"];
        };
        /**
         * WorkContent
         * @description What startWork would return. With it, the agent may begin the work without that request, within beginWithinSeconds. Work without it has to be started.
         */
        WorkContent: {
            commands: components["schemas"]["WorkCommands"];
            declared?: components["schemas"]["WorkDeclaration"];
            /** @description All files of the package, and the stored files of its patches */
            files: components["schemas"]["WorkFile"][];
        };
        /**
         * WorkDeclaration
         * @description What the manifest declares, if that is more than commands. The agent does this, and not `commands`: those fail, so that an agent that does not know the declaration does nothing and says why.
         */
        WorkDeclaration: {
            commands: components["schemas"]["PackageCommands"];
            msi?: components["schemas"]["PackageMsi"];
        };
        /** WorkDepot */
        WorkDepot: {
            /**
             * @description The files are at /files/{sha256} below it
             * @example https://depot.example.org
             */
            url: string;
        };
        /**
         * WorkEnvironment
         * @description What startWork would return for each of the work items that have a content
         */
        WorkEnvironment: {
            /** @description Depots that have the files, in the order in which to try them, before the service itself */
            depots: components["schemas"]["WorkDepot"][];
            /** @description Depots to try after the service itself: those that follow the master server in the failover list of the group */
            depotsAfterServer: components["schemas"]["WorkDepot"][];
            /**
             * @description Effective values by dotted name, without secret variables. Values of collections have the number of their entry in the name, as in Printing.Queues.1.Name; Printing.Queues.Count is the number of entries. A collection with much text has only the count.
             * @example {
             *       "Printing.Server": "print01"
             *     }
             */
            variables: {
                [key: string]: string;
            };
            /**
             * @description The effective entries of collection variables, by dotted name, without secret children
             * @example {
             *       "Printing.Queues": [
             *         {
             *           "Name": "floor-2",
             *           "Colour": "no"
             *         }
             *       ]
             *     }
             */
            collections: {
                [key: string]: {
                    [key: string]: string;
                }[];
            };
        };
        /** WorkFile */
        WorkFile: {
            /**
             * @description Path within the package
             * @example bin/setup.sh
             */
            path: string;
            /**
             * @description Size in bytes
             * @example 4096
             */
            size: number;
            /**
             * @description Hash of the file
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            sha256: string;
        };
        /**
         * WorkOffer
         * @description An optional package that the user may request
         */
        WorkOffer: {
            /**
             * Format: uuid
             * @description Id of the package
             * @example 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11
             */
            packageId: string;
            /**
             * @description Name of the package
             * @example Greeting
             */
            name: string;
            /**
             * @description Version of the package
             * @example 1.2.0
             */
            version: string;
            /**
             * Format: date-time
             * @description Until when the package is offered; null without a limit
             * @example 2026-03-14T09:26:53.000Z
             */
            untilUtc: string | null;
        };
        /** WorkOrder */
        WorkOrder: {
            /**
             * @description Id of the work item
             * @example 4711
             */
            workId: number;
            /**
             * @description Number of the attempt, as the contact handed it out
             * @example 1
             */
            attempt: number;
            /**
             * @description What to do. Refresh asks for a new inventory.
             * @enum {string}
             */
            kind: "Install" | "Update" | "Uninstall" | "Reinstall" | "Power" | "Refresh";
            /**
             * @description The lease ends when the agent reports nothing about the work item for this long
             * @example 900
             */
            leaseSeconds: number;
            package: components["schemas"]["WorkPackage"] | null;
            postponable: components["schemas"]["WorkPostponable"];
            /**
             * @description Do not show the work item to the user
             * @example false
             */
            hidden: boolean;
            /**
             * @description The user cannot postpone the work item
             * @example false
             */
            forced: boolean;
            power: components["schemas"]["WorkPower"] | null;
            content?: components["schemas"]["WorkContent"];
        };
        /**
         * WorkPackage
         * @description The package that the work item is about; null for Power and Refresh
         */
        WorkPackage: {
            /**
             * Format: uuid
             * @description Id of the package
             * @example 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11
             */
            packageId: string;
            /**
             * @description Name of the package
             * @example Greeting
             */
            name: string;
            /**
             * @description Version of the package
             * @example 1.2.0
             */
            version: string;
            /**
             * @description Kind of the package
             * @enum {string}
             */
            kind: "Software" | "OperatingSystem" | "LanguagePack" | "AgentTemplate" | "PxeBootImage" | "InventoryScan" | "PatchScan" | "PatchFix";
            /** @description Operating systems that the package supports; empty for all */
            operatingSystems: string[];
            /**
             * @description Hash over all files of the package; it changes with their content
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            contentHash: string;
        };
        /** WorkPatch */
        WorkPatch: {
            /**
             * Format: int32
             * @description Id of the patch
             * @example 17
             */
            patchId: number;
            /**
             * Format: int32
             * @description Id of the product version
             * @example 17
             */
            productId: number;
            /**
             * @description Identifies the patch in scans
             * @example openssl 3.0.16-1~deb12u1
             */
            key: string;
            /**
             * @description Name for people
             * @example openssl 3.0.16-1~deb12u1
             */
            name: string;
            /**
             * @description The product version that the patch is for
             * @example Debian GNU/Linux 12
             */
            product: string;
            /** @description Paths of the files of the patch; `files` of the work contains them. Empty if none is stored. */
            files: string[];
        };
        /**
         * WorkPostponable
         * @description Whether the user may postpone the work item
         */
        WorkPostponable: {
            /**
             * @description How often the user may postpone; 0 for never
             * @example 3
             */
            remaining: number;
            /**
             * Format: date-time
             * @description Latest time to postpone to; null for any time
             * @example 2026-03-14T09:26:53.000Z
             */
            untilUtc: string | null;
        };
        /** WorkPostponement */
        WorkPostponement: {
            /**
             * @description Number of the attempt, as the contact handed it out
             * @example 1
             */
            attempt: number;
            /**
             * Format: date-time
             * @description When to offer the work item again
             * @example 2099-12-31T00:00:00.000Z
             */
            untilUtc: string;
        };
        /** WorkPostponementAnswer */
        WorkPostponementAnswer: {
            /**
             * @description How often the user may postpone it again
             * @example 2
             */
            remaining: number;
        };
        /**
         * WorkPower
         * @description Only for work items of the kind Power, otherwise null
         */
        WorkPower: {
            /**
             * @description What to do with the computer
             * @enum {string}
             */
            action: "Shutdown" | "Reboot" | "LogOff" | "None";
            /**
             * @description How long a signed-in user is warned before the action
             * @example 15
             */
            timeoutMinutes: number;
            /**
             * @description Minutes between two reminders; 0 for a single one
             * @example 15
             */
            reminderMinutes: number;
        };
        /** WorkProgress */
        WorkProgress: {
            /**
             * @description Number of the attempt, as the contact handed it out
             * @example 1
             */
            attempt: number;
            /**
             * @description How much is done
             * @example 40
             */
            percent: number;
            /**
             * @description What the agent is doing, for people; not stored
             * @example Unpacking
             */
            message: string;
        };
        /** WorkProgressAnswer */
        WorkProgressAnswer: {
            /**
             * @description The lease ends when the agent reports nothing about the work item for this long
             * @example 900
             */
            leaseSeconds: number;
            /**
             * @description The agent must stop
             * @example false
             */
            cancelled: boolean;
        };
        /** WorkResult */
        WorkResult: {
            /**
             * @description Number of the attempt, as the contact handed it out
             * @example 1
             */
            attempt: number;
            /**
             * @description How the work ended
             * @enum {string}
             */
            status: "Success" | "Failed";
            /**
             * @description State of the software after the work; null when unknown
             * @enum {string|null}
             */
            installationState: "Installed" | "NotInstalled" | "Uninstalled" | null;
            /**
             * @description Exit code of the last command; null when none ran
             * @example 0
             */
            exitCode: number | null;
            /**
             * Format: date-time
             * @description When the agent started the work
             * @example 2026-03-14T09:26:53.000Z
             */
            startedUtc: string;
            /**
             * Format: date-time
             * @description When the work ended
             * @example 2026-03-14T09:26:53.000Z
             */
            finishedUtc: string;
            /**
             * @description The last command that ran
             * @example sh install.sh
             */
            commandLine: string | null;
            /**
             * @description The end of the output of the command
             * @example Done.
             */
            output: string;
            /**
             * @description Why the work failed, for people
             * @example There is no space left on the disk.
             */
            errorText: string | null;
            /**
             * @description The computer needs a reboot
             * @example false
             */
            rebootRequired: boolean;
        };
        /** WorkResultAnswer */
        WorkResultAnswer: {
            /**
             * @description False when the report was repeated or outdated and changed nothing
             * @example true
             */
            accepted: boolean;
        };
        /** WorkStart */
        WorkStart: {
            /**
             * @description Number of the attempt, as the contact handed it out
             * @example 1
             */
            attempt: number;
            /**
             * Format: uuid
             * @description Random id of the agent process; a restarted agent chooses a new one
             * @example 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11
             */
            runId: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
