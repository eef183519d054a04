import type { enRepositoryPackages } from './en-repository-packages.ts'

export const deRepositoryPackages: typeof enRepositoryPackages = {
  recipesBefore: 'Um Pakete als Rezepte in Git zu pflegen, nutzen Sie die Befehlszeile:',
  recipesAfter: 'Der Ordner examples/recipes von Muster enthält Rezepte für den Anfang.',
  open: 'Aus einem Repository',
  title: 'Paket aus einem Repository hinzufügen',
  package: 'Paket',
  packageHint: 'deb: oder rpm: und der Name des Pakets in den Repositorys, zum Beispiel deb:nginx.',
  policy: 'Version',
  policies: { latest: 'Die neueste', atLeast: 'Mindestens', exact: 'Genau' },
  version: 'Versionsnummer',
  keepVersion: 'Diese Version beibehalten',
  keepVersionHint: 'Andere Aktualisierungen des Computers ändern sie nicht.',
  allowDowngrade: 'Downgrade erlauben',
  allowDowngradeHint: 'Eine neuere Version auf einem Computer wird ersetzt.',
  repository: 'Repository (optional)',
  repositoryHint: 'Adresse mit https, zusätzlich zu den Repositorys des Computers.',
  suite: 'Suite und Komponenten',
  suiteHint: 'Für deb, zum Beispiel: stable main. Nur ./ für ein Repository ohne Suites.',
  key: 'Öffentlicher Schlüssel des Repositorys',
  keyHint: 'Der Text des Schlüssels, der das Repository signiert. Nichts anderes daraus wird installiert.',
  describe: (name: string) =>
    `Legt ein Paket an, das die Paketverwaltung jedes Computers installiert: ${name}. Kein Computer erhält es vor der Freigabe.`,
  submit: 'Hinzufügen',
  started: 'Das Paket wird angelegt.',
}
