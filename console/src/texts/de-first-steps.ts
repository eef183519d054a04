import type { enFirstSteps } from './en-first-steps.ts'

export const deFirstSteps: typeof enFirstSteps = {
  title: 'Erste Schritte',
  progress: (done, total) => `${done} von ${total} erledigt. Erledigte Schritte werden von selbst abgehakt.`,
  hide: 'Ausblenden',
  done: ' (erledigt)',
  open: ' (offen)',
  onServer: 'Führen Sie den Befehl auf dem Server aus.',
  onServerAsRoot: 'Führen Sie den Befehl als root auf dem Server oder in seinem Container aus.',
  computer: {
    title: 'Computer hinzufügen',
    hint: 'Führen Sie den Befehl als root auf einem Linux-Computer aus. Er gilt für einen Computer und einen Tag.',
    hintOwn:
      'Beginnen Sie mit diesem Server: Führen Sie den ersten Befehl aus, dann den zweiten in einem Terminal, das offen bleibt. Der erste gilt für einen Computer und einen Tag.',
    needsAgent: 'Noch ist kein Paket des Agenten freigegeben: Installieren Sie den Agenten zuerst auf diesem Computer.',
    create: 'Befehl erzeugen',
    createAgain: 'Neuen Befehl erzeugen',
    others: 'Andere Computer und Plattformen',
    command: 'Computer registrieren',
    run: 'Agent starten',
    tokenDescription: 'Erster Computer',
    needsRole: 'Den Befehl zum Registrieren eines Computers erzeugt jemand mit der Rolle admin.manage.',
  },
  package: {
    title: 'Beispielpaket importieren',
    hint: 'Kopieren Sie es in den Paketspeicher des Servers, importieren Sie es und geben Sie es frei.',
    command: 'Beispielpaket kopieren',
    link: 'Paket importieren',
  },
  deployment: {
    title: 'Verteilen und den Erfolg sehen',
    hint: 'Legen Sie eine Gruppe an, fügen Sie den Computer hinzu, weisen Sie das Paket zu, und verteilen Sie die Gruppe.',
    link: 'Gruppen öffnen',
  },
  provider: {
    title: 'Identitätsanbieter anbinden',
    hint: 'Alle melden sich dann mit ihrem gewohnten Konto an. Die Anleitung zur Anmeldung beschreibt die Datei.',
    command: 'Muster mit einem Anbieter starten',
  },
  backup: {
    title: 'Muster sichern',
    hint: 'Sichern Sie jede Nacht. Die Sicherung enthält alles außer dem Paketspeicher.',
    command: 'Alle Daten sichern',
  },
}
