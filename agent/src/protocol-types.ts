// Generated from docs/reference/agent-v1.json by `npm run agent:types`; do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** AgentContact */
        AgentContact: {
            /**
             * Format: uuid
             * @description A random id of the process of the agent
             * @example 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11
             */
            runId: string;
            /** @example 0.1.0 */
            agentVersion: string;
            /** @example Linux */
            platform: string;
            /** @enum {string} */
            environment: "OperatingSystem" | "PreOs";
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            bootTimeUtc: string;
            /** @example false */
            rebootRequired: boolean;
            /** @example linux-image */
            rebootRequiredSource: string | null;
            suspension: components["schemas"]["AgentSuspension"] | null;
            /** @example mia */
            loggedOnUser: string | null;
            /** @example 10.1.2.3 */
            ipAddress: string | null;
            /** @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            settingsHash: string | null;
            /**
             * @description The hash of each section of the inventory that the agent has
             * @example {
             *       "system": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
             *     }
             */
            sections: {
                [key: string]: string;
            };
            /** @description Optional packages that a user asked for */
            wants: string[];
            /**
             * @description The agent has nothing left of what this process was handed: work that it did not begin comes again
             * @default false
             * @example true
             */
            emptyHanded: boolean;
        };
        /** AgentContactAnswer */
        AgentContactAnswer: {
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            serverTimeUtc: string;
            /** @example 3480.5 */
            nextContactSeconds: number;
            settings: components["schemas"]["AgentSettings"] | null;
            /** @description Sections of the inventory that the agent is to send */
            sections: string[];
            /** @description In the order in which it is to be done */
            work: components["schemas"]["WorkOrder"][];
            offers: components["schemas"]["WorkOffer"][];
        };
        /** AgentCredential */
        AgentCredential: {
            /**
             * Format: int32
             * @example 17
             */
            clientId: number;
            /** @example agent-17.the-secret-is-shown-here-once */
            credential: string;
        };
        /**
         * AgentSettings
         * @description Null when the agent has them
         */
        AgentSettings: {
            /** @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            hash: string;
            /**
             * @example {
             *       "contactIntervalMinutes": 60
             *     }
             */
            values: {
                [key: string]: string | number | boolean;
            };
        };
        /** AgentSuspension */
        AgentSuspension: {
            /** @enum {string} */
            mode: "Suspended" | "PresentationMode" | "MaintenanceMode";
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            untilUtc: string | null;
        };
        /** AntivirusInfo */
        AntivirusInfo: {
            /** @example Contoso Defender */
            name: string | null;
            /** @example 4.18.24010.7 */
            version: string | null;
            /**
             * @description Files are checked when they are used
             * @example true
             */
            isEnabled: boolean | null;
            /** @example true */
            isUpToDate: boolean | null;
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            definitionsDateUtc: string | null;
        };
        /** BatteriesSection */
        BatteriesSection: {
            /**
             * @description SHA-256 of the content, in the way the agent computes it
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description By the clock of the agent's computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            items: components["schemas"]["BatteryReport"][];
        };
        /** BatteryReport */
        BatteryReport: {
            /** @example BAT0 */
            name: string | null;
            /** @example Lithium-ion */
            chemistry: string | null;
            /** @example LGC-5B10W13930 */
            deviceId: string | null;
            /** @example Charging */
            batteryStatus: string | null;
            /**
             * Format: int32
             * @example 57000
             */
            designedCapacityMwh: number | null;
            /**
             * Format: int32
             * @example 48450
             */
            fullChargedCapacityMwh: number | null;
            /**
             * Format: int32
             * @description Wear level: full charge against the design, not the charge
             * @example 85
             */
            remainingCapacityPercent: number | null;
        };
        /** Bios */
        Bios: {
            /** @example N2WET43W (1.33 ) */
            caption: string | null;
            /** @example Contoso */
            manufacturer: string | null;
            /** @example N2WET43W (1.33 ) */
            smBiosVersion: string | null;
            /** @example PF3K9XYZ */
            serialNumber: string | null;
            /** @example CONTOSO - 1330 */
            version: string | null;
            /** @example 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11 */
            uuid: string | null;
        };
        /** BiosSection */
        BiosSection: {
            /**
             * @description SHA-256 of the content, in the way the agent computes it
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description By the clock of the agent's computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            item: components["schemas"]["Bios"];
        };
        /**
         * BitlockerState
         * @description Of BitLocker, or of LUKS under Linux; NotAvailable where the computer cannot tell
         * @enum {string}
         */
        BitlockerState: "Encrypted" | "Unencrypted" | "NotAvailable";
        /** ComputerSystem */
        ComputerSystem: {
            /** @example Contoso */
            manufacturer: string | null;
            /** @example Desk 400 */
            model: string | null;
        };
        /** ComputerSystemSection */
        ComputerSystemSection: {
            /**
             * @description SHA-256 of the content, in the way the agent computes it
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description By the clock of the agent's computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            item: components["schemas"]["ComputerSystem"];
        };
        /** DesktopMonitor */
        DesktopMonitor: {
            /** @example Contoso 24 */
            caption: string | null;
            /** @example Contoso */
            manufacturer: string | null;
            /** @example Digital */
            monitorType: string | null;
            /** @example Contoso 24 */
            monitorName: string | null;
            /** @example CN0123456 */
            serialNumber: string | null;
            /**
             * @description Three letters
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
             * @example 1920
             */
            screenWidth: number | null;
            /**
             * Format: int32
             * @example 1200
             */
            screenHeight: number | null;
            /**
             * Format: int32
             * @example 96
             */
            pixelsPerXLogicalInch: number | null;
            /**
             * Format: int32
             * @example 96
             */
            pixelsPerYLogicalInch: number | null;
            /**
             * Format: int32
             * @example 2023
             */
            manufacturingYear: number | null;
            /**
             * Format: int32
             * @example 17
             */
            manufacturingWeek: number | null;
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
            /** @example 237.9 */
            totalSpaceGb: number | null;
            /** @example 101.3 */
            freeSpaceGb: number | null;
            /** @example System */
            label: string | null;
            bitlockerStatus: components["schemas"]["BitlockerState"];
            /** @example Tpm, RecoveryPassword */
            bitlockerKeyProtectors: string | null;
        };
        /** DisksSection */
        DisksSection: {
            /**
             * @description SHA-256 of the content, in the way the agent computes it
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description By the clock of the agent's computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            items: components["schemas"]["DiskDriveReport"][];
        };
        /** EnrolmentAgent */
        EnrolmentAgent: {
            /** @example 0.1.0 */
            version: string;
            /** @example Linux */
            platform: string;
        };
        /** EnrolmentComputer */
        EnrolmentComputer: {
            /** @example till-7 */
            name: string;
            /** @example corp.example.org */
            domain: string;
            /** @example true */
            isDomain: boolean;
            /**
             * Format: uuid
             * @example 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11
             */
            uuid: string | null;
            /** @example 02:00:5e:00:53:17 */
            macAddress: string | null;
        };
        /** EnrolmentRequest */
        EnrolmentRequest: {
            /** @example enrol-the-token-that-was-shown-once */
            token: string;
            /**
             * @description Chosen and kept by the agent before the first call
             * @example a-random-text-that-the-agent-keeps-for-itself
             */
            enrolmentKey: string;
            computer: components["schemas"]["EnrolmentComputer"];
            agent: components["schemas"]["EnrolmentAgent"];
        };
        /** FirewallStatus */
        FirewallStatus: {
            /**
             * @description Under Linux ufw, firewalld or nftables
             * @example Windows Firewall
             */
            name: string | null;
            /** @example true */
            isEnabled: boolean | null;
            /**
             * @description Profiles are known to Windows only
             * @example true
             */
            domainProfileEnabled: boolean | null;
            /** @example true */
            privateProfileEnabled: boolean | null;
            /** @example true */
            publicProfileEnabled: boolean | null;
        };
        /** InstalledSoftware */
        InstalledSoftware: {
            /** @example Example Editor */
            productName: string;
            /** @example 4.2.1 */
            version: string | null;
            /** @example Contoso */
            publisher: string | null;
        };
        /** InstalledSoftwareSection */
        InstalledSoftwareSection: {
            /**
             * @description SHA-256 of the content, in the way the agent computes it
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description By the clock of the agent's computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            items: components["schemas"]["InstalledSoftware"][];
        };
        /** InventoryReport */
        InventoryReport: {
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
             * @description SHA-256 of the content, in the way the agent computes it
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description By the clock of the agent's computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            items: components["schemas"]["DesktopMonitor"][];
        };
        /** NetworkAdapter */
        NetworkAdapter: {
            /** @example e1000e */
            serviceName: string | null;
            /** @example Ethernet connection I219-LM */
            description: string | null;
            /**
             * @description Several are separated by a comma
             * @example 192.0.2.17
             */
            ipAddress: string | null;
            /** @example 00:1B:44:11:3A:B7 */
            macAddress: string | null;
            /** @example 255.255.255.0 */
            subnetMask: string | null;
            /** @example 192.0.2.1 */
            defaultGateway: string | null;
            /** @example 192.0.2.53 */
            dnsServer: string | null;
            /** @example Ethernet */
            connectionType: string | null;
            /** @example true */
            isDhcp: boolean;
        };
        /** NetworkAdaptersSection */
        NetworkAdaptersSection: {
            /**
             * @description SHA-256 of the content, in the way the agent computes it
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description By the clock of the agent's computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            items: components["schemas"]["NetworkAdapter"][];
        };
        /** OsInstallationReport */
        OsInstallationReport: {
            /** @enum {string} */
            status: "Success" | "Failed";
            /** @example The image was applied. */
            message: string | null;
        };
        /**
         * PackageCommand
         * @description Runs in the folder of the package, as the system account of the agent.
         */
        PackageCommand: {
            /**
             * @description Program and arguments, which no shell reads. Either this or shell.
             * @example [
             *       "sh",
             *       "install.sh"
             *     ]
             */
            argv?: string[];
            /**
             * @description A line for the shell of the system.
             * @example sh install.sh
             */
            shell?: string;
            /**
             * @description After this time the command is ended and has failed.
             * @default 60
             * @example 30
             */
            timeLimitMinutes: number;
            /**
             * @description Return codes that mean success. For detect: the software is there.
             * @default [
             *       0
             *     ]
             * @example [
             *       0
             *     ]
             */
            successCodes: number[];
            /**
             * @description Return codes that mean success after the next restart.
             * @default []
             * @example []
             */
            rebootCodes: number[];
        };
        /** PatchScanReport */
        PatchScanReport: {
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            scannedUtc: string;
            /**
             * Format: date-time
             * @description Of when the data is that the scan compared with
             * @example 2026-03-14T09:26:53.000Z
             */
            definitionUtc?: string | null;
            /** @example 2026.03.11 */
            definitionVersion?: string | null;
            /** @description All that the computer has or lacks */
            patches: components["schemas"]["ScannedPatch"][];
        };
        /** Printer */
        Printer: {
            /** @example Floor 2 */
            name: string | null;
            /** @example ipp://printer.example.org/ipp/print */
            port: string | null;
            /** @example floor2 */
            shareName: string | null;
            /** @example Generic PostScript */
            driverName: string | null;
            /** @example 2.1 */
            driverVersion: string | null;
            /** @example Next to the kitchen */
            comment: string | null;
            /** @example Floor 2 */
            caption: string | null;
            /** @example Color, Duplex */
            capabilityDescriptions: string | null;
            /** @example true */
            isNetworkPrinter: boolean;
            /** @example false */
            isDefault: boolean;
            /**
             * Format: int32
             * @description DPI
             * @example 600
             */
            horizontalResolution: number | null;
            /**
             * Format: int32
             * @description DPI
             * @example 600
             */
            verticalResolution: number | null;
        };
        /** PrintersSection */
        PrintersSection: {
            /**
             * @description SHA-256 of the content, in the way the agent computes it
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description By the clock of the agent's computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            items: components["schemas"]["Printer"][];
        };
        /**
         * ProblemDetails
         * @description A problem after RFC 9457, with ids of the resources in question beside it.
         */
        ProblemDetails: {
            /**
             * @description Identifies the kind of problem
             * @example urn:muster:problem:PrincipalNotFound
             */
            type: string;
            /**
             * @description The reason phrase of the status
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
             * @description The address that was called
             * @example /api/admin/principals/17
             */
            instance: string;
            /**
             * @description For programs; it never changes
             * @example PrincipalNotFound
             */
            code: string;
            /**
             * @description For people; the same for every problem of this code
             * @example No principal of this kind has this id.
             */
            message: string;
            /**
             * @description Finds the request in the log of the service
             * @example 0c5f8f4e-5f0f-4a43-9a51-6e2c7d6a9a10
             */
            requestId: string;
            errors?: {
                /**
                 * @description The part of the request: path, query, header or body
                 * @example body
                 */
                in: string;
                /**
                 * @description The property or parameter
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
            /** @example Contoso Core 7 @ 2.80GHz */
            name: string | null;
            /** @example Contoso */
            manufacturer: string | null;
            /** @example BFEBFBFF000806C1 */
            processorId: string | null;
            /**
             * Format: int32
             * @example 4
             */
            numberOfCores: number | null;
            /**
             * Format: int32
             * @example 8
             */
            numberOfLogicalProcessors: number | null;
            /**
             * Format: int32
             * @example 4700
             */
            maxClockSpeedMhz: number | null;
            /**
             * Format: int32
             * @example 2800
             */
            currentClockSpeedMhz: number | null;
        };
        /** ProcessorsSection */
        ProcessorsSection: {
            /**
             * @description SHA-256 of the content, in the way the agent computes it
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description By the clock of the agent's computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            items: components["schemas"]["Processor"][];
        };
        /** ScannedPatch */
        ScannedPatch: {
            /**
             * @description By which every scan and catalog names the patch
             * @example openssl 3.0.16-1~deb12u1
             */
            key: string;
            /**
             * @description The product version that it is for
             * @example Debian GNU/Linux 12
             */
            product: string;
            /** @enum {string} */
            status: "Missing" | "Installed";
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            installedUtc?: string | null;
            /**
             * @description For people. This and the rest count only for a patch that nobody knows
             * @example openssl 3.0.16-1~deb12u1
             */
            name?: string | null;
            /** @example KB5034441 */
            qNumber?: string | null;
            /** @example DSA-5532-1 */
            bulletinId?: string | null;
            /** @example openssl security update */
            title?: string | null;
            /** @example https://vendor.example.org/advisories/DSA-5532-1 */
            url?: string | null;
            /** @example Critical */
            severity?: string | null;
            /** @enum {string|null} */
            type?: "SecurityPatch" | "SoftwareDistribution" | "SecurityTool" | "NonSecurityPatch" | "CustomAction" | null;
            /**
             * Format: date
             * @example 2026-03-11
             */
            releaseDate?: string | null;
            /** @example 2048000 */
            sizeBytes?: number | null;
            /**
             * @example [
             *       "CVE-2026-12345"
             *     ]
             */
            cves?: string[];
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
             * @description False on computers that boot without UEFI
             * @example true
             */
            isSupported: boolean | null;
            /** @example true */
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
             * @description SHA-256 of the content, in the way the agent computes it
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description By the clock of the agent's computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            item: components["schemas"]["SecurityReport"];
        };
        /** ServicesSection */
        ServicesSection: {
            /**
             * @description SHA-256 of the content, in the way the agent computes it
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description By the clock of the agent's computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            items: components["schemas"]["WindowsService"][];
        };
        /** StartedWork */
        StartedWork: {
            /**
             * @description For how long the work is the agent’s without a word from it
             * @example 900
             */
            leaseSeconds: number;
            commands: components["schemas"]["WorkCommands"];
            files: components["schemas"]["WorkFile"][];
            /** @description Where the files are, nearest first; after these the service itself */
            depots: components["schemas"]["WorkDepot"][];
            /**
             * @description Effective values by dotted name; none of a secret variable
             * @example {
             *       "Printing.Server": "print01"
             *     }
             */
            variables: {
                [key: string]: string;
            };
            /** @description What a fix package has to install: all that is missing and released now. Empty for other packages */
            patches: components["schemas"]["WorkPatch"][];
            /**
             * @description Effective values of the secret variables that the manifest names
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
            /** @example pc-0017.corp.example.org */
            fqdn: string | null;
            /** @example Windows 11 Enterprise */
            operatingSystem: string | null;
            /** @example Windows 11 */
            osName: string | null;
            /** @example Enterprise */
            osEdition: string | null;
            /** @example 10.0.22631 */
            osVersion: string | null;
            /** @example 22631 */
            osBuild: string | null;
            /** @example CORP\jdoe */
            osLogin: string | null;
            /** @example Windows */
            platform: string | null;
            /** @example en-US */
            language: string | null;
            /** @example AMD64 */
            architecture: string | null;
            /**
             * Format: int32
             * @description 32 or 64
             * @example 64
             */
            bitVersion: number | null;
            /** @example Contoso Core 7 @ 2.80GHz */
            processorName: string | null;
            /**
             * Format: int32
             * @example 1
             */
            processorCount: number | null;
            /**
             * Format: int32
             * @example 2800
             */
            processorMhz: number | null;
            /**
             * Format: int32
             * @example 16384
             */
            memoryMb: number | null;
            /** @example N2WET43W (1.33 ) */
            biosVersion: string | null;
            /** @example 2023-04-17 */
            biosDate: string | null;
            /** @example 192.0.2.17 */
            ipAddress: string | null;
            /** @example CORP\jdoe */
            loggedOnUser: string | null;
            /** @example false */
            userIsAdmin: boolean | null;
            /** @example Europe/Berlin */
            timeZone: string | null;
            /** @example Contoso Graphics 620 */
            displayAdapter: string | null;
            /** @example 1920 x 1080 */
            screenResolution: string | null;
            /** @example KVM */
            vmType: string | null;
            /**
             * Format: int32
             * @example 350
             */
            tempDirSizeMb: number | null;
        };
        /** SystemSection */
        SystemSection: {
            /**
             * @description SHA-256 of the content, in the way the agent computes it
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description By the clock of the agent's computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            item: components["schemas"]["SystemReport"];
        };
        /** VideoController */
        VideoController: {
            /** @example Contoso Graphics 620 */
            name: string | null;
            /** @example Contoso */
            adapterCompatibility: string | null;
            /**
             * @description As the computer tells it, usually bytes
             * @example 1073741824
             */
            adapterRam: string | null;
            /** @example Graphics 620 */
            videoProcessor: string | null;
            /** @example 1920 x 1080 */
            videoModeDescription: string | null;
            /**
             * @description As the computer tells it, in Hz
             * @example 60
             */
            currentRefreshRate: string | null;
        };
        /** VideoControllersSection */
        VideoControllersSection: {
            /**
             * @description SHA-256 of the content, in the way the agent computes it
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: date-time
             * @description By the clock of the agent's computer
             * @example 2026-03-14T09:26:53.000Z
             */
            collectedUtc: string;
            items: components["schemas"]["VideoController"][];
        };
        /**
         * WindowsService
         * @description A service of Windows or of systemd
         */
        WindowsService: {
            /** @example Spooler */
            name: string;
            /** @example Print Spooler */
            displayName: string | null;
            /** @example Running */
            status: string;
            /** @example Auto */
            startMode: string | null;
            /** @example LocalSystem */
            account: string | null;
        };
        /** WorkCommands */
        WorkCommands: {
            install?: components["schemas"]["PackageCommand"];
            update?: components["schemas"]["PackageCommand"];
            uninstall?: components["schemas"]["PackageCommand"];
            detect?: components["schemas"]["PackageCommand"];
        };
        /** WorkDepot */
        WorkDepot: {
            /**
             * @description Files are at /files/{sha256}
             * @example https://depot.example.org
             */
            url: string;
        };
        /** WorkFile */
        WorkFile: {
            /** @example bin/setup.sh */
            path: string;
            /** @example 4096 */
            size: number;
            /** @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            sha256: string;
        };
        /**
         * WorkOffer
         * @description An optional package that the user may ask for
         */
        WorkOffer: {
            /**
             * Format: uuid
             * @example 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11
             */
            packageId: string;
            /** @example Greeting */
            name: string;
            /** @example 1.2.0 */
            version: string;
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            untilUtc: string | null;
        };
        /** WorkOrder */
        WorkOrder: {
            /** @example 4711 */
            workId: number;
            /** @example 1 */
            attempt: number;
            /** @enum {string} */
            kind: "Install" | "Update" | "Uninstall" | "Reinstall" | "Power" | "Refresh";
            /**
             * @description For how long the work is the agent’s without a word from it
             * @example 900
             */
            leaseSeconds: number;
            package: components["schemas"]["WorkPackage"] | null;
            postponable: components["schemas"]["WorkPostponable"];
            /** @example false */
            hidden: boolean;
            /** @example false */
            forced: boolean;
            power: components["schemas"]["WorkPower"] | null;
        };
        /** WorkPackage */
        WorkPackage: {
            /**
             * Format: uuid
             * @example 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11
             */
            packageId: string;
            /** @example Greeting */
            name: string;
            /** @example 1.2.0 */
            version: string;
            /** @enum {string} */
            kind: "Software" | "OperatingSystem" | "LanguagePack" | "AgentTemplate" | "PxeBootImage" | "InventoryScan" | "PatchScan" | "PatchFix";
            operatingSystems: string[];
            /** @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            contentHash: string;
        };
        /** WorkPatch */
        WorkPatch: {
            /**
             * Format: int32
             * @example 17
             */
            patchId: number;
            /**
             * Format: int32
             * @example 17
             */
            productId: number;
            /**
             * @description By which scans name the patch
             * @example openssl 3.0.16-1~deb12u1
             */
            key: string;
            /** @example openssl 3.0.16-1~deb12u1 */
            name: string;
            /** @example Debian GNU/Linux 12 */
            product: string;
        };
        /** WorkPostponable */
        WorkPostponable: {
            /**
             * @description How often the user may postpone; 0 for not at all
             * @example 3
             */
            remaining: number;
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            untilUtc: string | null;
        };
        /** WorkPostponement */
        WorkPostponement: {
            /** @example 1 */
            attempt: number;
            /**
             * Format: date-time
             * @example 2099-12-31T00:00:00.000Z
             */
            untilUtc: string;
        };
        /** WorkPostponementAnswer */
        WorkPostponementAnswer: {
            /**
             * @description How often the user may still postpone it
             * @example 2
             */
            remaining: number;
        };
        /** WorkPower */
        WorkPower: {
            /** @enum {string} */
            action: "Shutdown" | "Reboot" | "LogOff" | "None";
            /** @example 15 */
            timeoutMinutes: number;
            /** @example 15 */
            reminderMinutes: number;
        };
        /** WorkProgress */
        WorkProgress: {
            /** @example 1 */
            attempt: number;
            /** @example 40 */
            percent: number;
            /** @example Unpacking */
            message: string;
        };
        /** WorkProgressAnswer */
        WorkProgressAnswer: {
            /**
             * @description For how long the work is the agent’s without a word from it
             * @example 900
             */
            leaseSeconds: number;
            /** @example false */
            cancelled: boolean;
        };
        /** WorkResult */
        WorkResult: {
            /** @example 1 */
            attempt: number;
            /** @enum {string} */
            status: "Success" | "Failed";
            /** @enum {string|null} */
            installationState: "Installed" | "NotInstalled" | "Uninstalled" | null;
            /** @example 0 */
            exitCode: number | null;
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            startedUtc: string;
            /**
             * Format: date-time
             * @example 2026-03-14T09:26:53.000Z
             */
            finishedUtc: string;
            /** @example sh install.sh */
            commandLine: string | null;
            /**
             * @description The end of what the command printed
             * @example Done.
             */
            output: string;
            /** @example There is no space left on the disk. */
            errorText: string | null;
            /** @example false */
            rebootRequired: boolean;
        };
        /** WorkResultAnswer */
        WorkResultAnswer: {
            /**
             * @description False when nothing changed
             * @example true
             */
            accepted: boolean;
        };
        /** WorkStart */
        WorkStart: {
            /** @example 1 */
            attempt: number;
            /**
             * Format: uuid
             * @description A random id of the process of the agent
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
