import type { enInfrastructure } from './en-infrastructure.ts'

const count = (n: number, one: string, many: string) => `${n.toLocaleString('de')} ${n === 1 ? one : many}`

export const deInfrastructure: typeof enInfrastructure = {
  intro: 'Depots, Images und Hintergrundaufträge.',
  needsRole: (role) => `Dafür ist die Rolle ${role} erforderlich.`,
  tabs: { depots: 'Depots', images: 'Images', jobs: 'Aufträge' },
  depots: {
    title: 'Depots',
    columns: {
      depot: 'Depot',
      state: 'Status',
      heartbeat: 'Letzte Meldung',
      lastSync: 'Letzter Abgleich',
      nextSync: 'Nächster Abgleich',
      tags: 'Tags',
      credential: 'Zugangsdaten',
      actions: 'Aktionen',
    },
    heartbeats: { online: 'Online', offline: 'Offline', pending: 'Nie verbunden', unknown: 'Nicht eingerichtet' },
    statuses: { Pending: 'Wartet', Running: 'Läuft', Success: 'Erfolgreich', Failed: 'Fehlgeschlagen' },
    waiting: 'Beginnt mit der nächsten Meldung',
    noSync: 'Nie',
    hasCredential: 'Ausgestellt',
    noCredential: 'Keine',
    topologyActive: 'Die Tags bestimmen, welche Pakete ein Depot erhält.',
    topologyInactive: 'Jedes Depot erhält alle Pakete, unabhängig von seinen Tags.',
    emptyTitle: 'Noch keine Depots',
    emptyText:
      'Geben Sie einem Computer im Katalog die Rolle DepotServer. Er hält Kopien der Pakete für die Computer in seiner Nähe vor.',
    sync: 'Abgleichen',
    syncAll: 'Alle abgleichen',
    syncTitle: (name) => `${name} abgleichen`,
    syncAllTitle: 'Alle Depots abgleichen',
    syncs: (n) => `Gleicht ${count(n, 'Depot', 'Depots')} mit der nächsten Meldung ab:`,
    synced: (n) => `${count(n, 'Abgleich', 'Abgleiche')} angefordert`,
    more: (name) => `Weitere Aktionen: ${name}`,
    editTags: 'Tags bearbeiten',
    tagsTitle: (name) => `Tags von ${name}`,
    addTag: 'Tag hinzufügen',
    noTag: 'Kein Tag mit diesem Namen',
    removeTag: (name) => `${name} entfernen`,
    noTags: 'Keine Tags',
    newCredential: 'Zugangsdaten erstellen',
    newCredentialTitle: (name) => `Zugangsdaten für ${name} erstellen?`,
    newCredentialText: 'Das Depot meldet sich damit an. Die bisherigen Zugangsdaten werden sofort ungültig.',
    credentialTitle: 'Zugangsdaten jetzt speichern',
    credentialWarning:
      'Sie werden nur einmal angezeigt und lassen sich später nicht abrufen. Führen Sie diesen Befehl auf dem Depot aus.',
    credentialStored: 'Ich habe die Zugangsdaten gespeichert',
    credentialCommand: 'Auf dem Depot im Ordner von Muster ausführen',
    revokeCredential: 'Zugangsdaten sperren',
    revokeCredentialTitle: (name) => `Zugangsdaten von ${name} sperren?`,
    revokeCredentialText:
      'Das Depot kann sich nicht mehr abgleichen. Computer erhalten ihre Dateien von anderen Depots oder von Muster.',
    credentialRevoked: 'Zugangsdaten gesperrt',
  },
  images: {
    systems: 'Betriebssystem-Images',
    boot: 'PXE-Boot-Images',
    columns: {
      name: 'Name',
      version: 'Version',
      system: 'Betriebssystem',
      editions: 'Editionen',
      language: 'Sprache',
      architecture: 'Architektur',
      released: 'Freigabe',
      files: 'Boot-Dateien',
      arguments: 'Kernel-Argumente',
    },
    released: 'Freigegeben',
    notReleased: 'Nicht freigegeben',
    systemsEmptyTitle: 'Noch keine Betriebssystem-Images',
    systemsEmptyText:
      'Importieren Sie ein Paket der Art operatingSystem. Danach können seine Editionen Gruppen zugewiesen werden.',
    bootEmptyTitle: 'Noch keine PXE-Boot-Images',
    bootEmptyText:
      'Importieren Sie ein Paket der Art pxeBootImage. Danach können Computer einer Gruppe über das Netz davon starten.',
  },
  jobs: {
    queue: 'Wartende und laufende Aufträge',
    sync: 'Abgleiche der Depots',
    columns: {
      queue: 'Warteschlange',
      subject: 'Gegenstand',
      status: 'Status',
      progress: 'Fortschritt',
      created: 'Angefordert',
      started: 'Begonnen',
      depot: 'Depot',
      trigger: 'Auslöser',
      finished: 'Beendet',
      result: 'Ergebnis',
      transferred: 'Übertragen',
    },
    queues: {
      'package-import': 'Paketimport',
      'package-hash': 'Paketprüfung',
      'depot-sync': 'Depotabgleich',
      'patch-download': 'Patch-Download',
      'patch-import': 'Import des Patch-Katalogs',
      'vulnerability-import': 'Import von Sicherheitsmeldungen',
    },
    triggers: { Manual: 'Durch eine Person', Schedule: 'Geplant' },
    files: (n, size) => `${count(n, 'Datei', 'Dateien')}, ${size}`,
    queueEmptyTitle: 'Nichts wartet',
    queueEmptyText: 'Importe, Downloads und Abgleiche erscheinen hier, solange sie warten oder laufen.',
    syncEmptyTitle: 'Noch keine Abgleiche',
    syncEmptyText: 'Ein Depot gleicht sich bei seinem Start ab und danach nach seinem Zeitplan.',
  },
  commands: {
    intro: 'Erstellen Sie ein Token: Es wird einmal angezeigt, mit dem Befehl, der es enthält.',
    platform: 'Plattform und Agent',
    run: 'Auf dem Computer ausführen',
    platforms: {
      linux: 'Linux: Muster-Agent',
      linuxGlpi: 'Linux: GLPI-Agent',
      linuxFusion: 'Linux: FusionInventory-Agent',
      windows: 'Windows: Muster-Agent',
      windowsGlpi: 'Windows: GLPI-Agent',
      windowsFusion: 'Windows: FusionInventory-Agent',
      macGlpi: 'macOS: GLPI-Agent',
      macFusion: 'macOS: FusionInventory-Agent',
    },
    hints: {
      linux: 'Installiert den Agenten mit sudo und registriert ihn.',
      linuxGlpi: 'Als root auf einem Computer mit dem GLPI-Agenten ab Version 1.0.',
      linuxFusion:
        'Als root auf einem Computer mit dem FusionInventory-Agenten ab Version 2.3. Mit dem Paket fusioninventory-agent-task-deploy installiert er auch Software.',
      windows:
        'Lädt den Agenten herunter, installiert und registriert ihn: in einer Eingabeaufforderung (cmd) als Administrator, ab Windows 10 oder Windows Server 2019.',
      windowsGlpi:
        'In einer Eingabeaufforderung als Administrator, auf einem Computer mit dem GLPI-Agenten ab Version 1.0.',
      windowsFusion:
        'In einer Eingabeaufforderung als Administrator, auf einem Computer mit dem FusionInventory-Agenten ab Version 2.3.',
      macGlpi: 'Als root auf einem Computer mit dem GLPI-Agenten ab Version 1.0.',
      macFusion: 'Als root auf einem Computer mit dem FusionInventory-Agenten ab Version 2.3.',
    },
    hintsWithoutPackage: {
      linux:
        'Registriert einen Agenten, der schon installiert ist: als root, nachdem sein Debian-Paket installiert wurde. Sobald unten ein Paket des Agenten bestimmt und freigegeben ist, installiert ihn der Befehl gleich mit.',
      windows:
        'Installiert muster-agent.msi aus dem aktuellen Ordner, in den Sie die Datei vorher kopieren, und registriert den Agenten: in einer Eingabeaufforderung (cmd) als Administrator, ab Windows 10 oder Windows Server 2019. Sobald unten ein Paket des Agenten bestimmt und freigegeben ist, lädt der Befehl ihn selbst herunter.',
    },
    existing:
      'GLPI- und FusionInventory-Agenten installieren Software nur mit einem eigenen Geheimnis: Erstellen Sie je Computer ein Token.',
    insecure:
      'Diese Seite wurde ohne TLS geöffnet. Verwenden Sie eine https-Adresse, damit niemand im Netz das Token mitliest.',
  },
}
