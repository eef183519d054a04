import type { AuditSentence } from './audit-sentence.ts'
import type { enAuditSentences } from './en-audit-sentences.ts'

export const deAuditSentences: Record<keyof typeof enAuditSentences, AuditSentence> = {
  signIn: ({ status }) => (status < 400 ? '{who} hat sich angemeldet' : '{who} konnte sich nicht anmelden'),
  signOut: '{who} hat sich abgemeldet',
  requestToken: ({ status }) =>
    status < 400 ? '{who} hat ein Zugriffstoken angefordert' : '{who} wurde ein Zugriffstoken verweigert',
  restoreBackup: '{who} hat eine Sicherung wiederhergestellt',
  enrolAgent: ({ body, status }) => {
    if (body.reason === 'QuarantineFull')
      return '{who} wurde abgewiesen, weil zu viele Agenten den Computer beanspruchen'
    if (status >= 400) return '{who} wurde abgewiesen, weil der Computer einen anderen Agenten hat'
    return body.event === 'Quarantined' ? '{who} kam in Quarantäne' : '{who} hat sich als {Computer} registriert'
  },

  upsertPrincipal: '{who} hat den Zugang {Principal} angelegt oder geändert',
  updatePrincipal: '{who} hat den Zugang {Principal} geändert',
  deletePrincipal: '{who} hat den Zugang {Principal} gelöscht',
  createLocalPrincipal: '{who} hat den Zugang {LocalPrincipal} angelegt',
  updateLocalPrincipal: '{who} hat den Zugang {LocalPrincipal} geändert',
  deleteLocalPrincipal: '{who} hat den Zugang {LocalPrincipal} gelöscht',
  setLocalPrincipalRevoked: ({ body }) =>
    `{who} hat den Zugang {LocalPrincipal} ${body.isRevoked ? 'gesperrt' : 'wieder freigegeben'}`,
  createLocalPrincipalSecret: '{who} hat ein Secret für {LocalPrincipal} erstellt',
  deleteLocalPrincipalSecret: '{who} hat ein Secret von {LocalPrincipal} gelöscht',

  createComputer: '{who} hat den Computer {Computer} angelegt',
  updateComputer: '{who} hat den Computer {Computer} geändert',
  deleteComputer: '{who} hat den Computer {Computer} gelöscht',
  deleteComputers: '{who} hat ausgewählte Computer gelöscht',
  setComputerTags: '{who} hat die Tags von {Computer} geändert',
  activateComputer: '{who} hat auf {Computer} verteilt',
  deactivateComputer: '{who} hat die ausstehenden Arbeiten von {Computer} abgebrochen',
  uninstallSoftware: '{who} hat {Package} von {Computer} deinstalliert',
  requestSoftwareReinstall: '{who} hat die Neuinstallation von {Package} auf {Computer} angefordert',
  cancelSoftwareReinstall: '{who} hat eine Neuinstallation oder einen Scan auf {Computer} abgebrochen',
  rescanComputer: '{who} hat einen Scan von {Computer} angefordert',
  rebootComputer: '{who} hat einen Neustart von {Computer} angefordert',
  activateComputers: '{who} hat auf {Computer} verteilt',
  rescanComputers: '{who} hat einen Scan von {Computer} angefordert',
  rebootComputers: '{who} hat einen Neustart von {Computer} angefordert',
  installOnComputers: '{who} hat {Package} auf {Computer} installiert',
  uninstallOnComputers: '{who} hat {Package} von {Computer} deinstalliert',
  cancelUninstallOnComputers: '{who} hat die Deinstallation von {Package} auf {Computer} abgebrochen',
  confirmOsInstallation: '{who} hat die Installation von {Computer} bestätigt',
  setComputerVariable: '{who} hat die Variable {Variable} auf {Computer} gesetzt',
  createComputerCollectionEntry: '{who} hat auf {Computer} einen Eintrag zu {Variable} hinzugefügt',
  updateComputerCollectionEntry: '{who} hat auf {Computer} einen Eintrag von {Variable} geändert',
  deleteComputerCollectionEntry: '{who} hat auf {Computer} einen Eintrag von {Variable} gelöscht',
  updateCustomField: '{who} hat das benutzerdefinierte Feld {designation} geändert',

  createGroup: '{who} hat die Gruppe {Group} angelegt',
  updateGroup: '{who} hat die Gruppe {Group} geändert',
  moveGroup: '{who} hat die Gruppe {Group} verschoben',
  deleteGroup: '{who} hat die Gruppe {Group} gelöscht',
  setGroupKind: '{who} hat die Art der Gruppe {Group} geändert',
  setGroupRule: '{who} hat die Regel der Gruppe {Group} gesetzt',
  removeGroupRule: '{who} hat die Regel der Gruppe {Group} entfernt',
  setGroupConvergence: ({ body }) =>
    body.state === 'On'
      ? '{who} hält die Mitglieder der Gruppe {Group} konvergent'
      : '{who} hält die Mitglieder der Gruppe {Group} nicht mehr konvergent',
  removeGroupConvergence: '{who} hat der Gruppe {Group} die Konvergenz der Gruppen darüber gegeben',
  convergeGroup: '{who} hat eine Welle begonnen',
  followGroupRule: ({ body }) =>
    body.event === 'Stopped'
      ? '{who} wurde angehalten: Zu viele Computer hätten {Group} gewechselt'
      : body.event === 'Restless'
        ? '{who} belässt Computer, die ständig zu {Group} kommen und gehen, wo sie sind'
        : '{who} hat die Mitglieder von {Group} geändert',
  addGroupComputers: '{who} hat {Computer} zu {Group} hinzugefügt',
  addSelectionToGroup: '{who} hat {Computer} zu {Group} hinzugefügt',
  removeGroupComputers: '{who} hat Computer aus {Group} entfernt',
  activateGroup: '{who} hat auf {Group} verteilt',
  deactivateGroup: '{who} hat die ausstehenden Arbeiten von {Group} abgebrochen',
  assignGroupPackage: '{who} hat {Package} der Gruppe {Group} zugewiesen',
  removeGroupPackage: '{who} hat {Package} von der Gruppe {Group} entfernt',
  replacePackage: '{who} hat {oldPackageId} durch {newPackageId} ersetzt',
  assignGroupPxeBootImage: '{who} hat der Gruppe {Group} ein PXE-Boot-Image zugewiesen',
  removeGroupPxeBootImage: '{who} hat das PXE-Boot-Image von der Gruppe {Group} entfernt',
  assignGroupOsImageSku: '{who} hat {Package} der Gruppe {Group} zugewiesen',
  removeGroupOsImageSku: '{who} hat das Betriebssystem von der Gruppe {Group} entfernt',
  assignGroupAgentTemplate: '{who} hat die Agentenvorlage {Package} der Gruppe {Group} zugewiesen',
  removeGroupAgentTemplate: '{who} hat die Agentenvorlage {Package} von der Gruppe {Group} entfernt',
  assignGroupLanguagePack: '{who} hat das Sprachpaket {Package} der Gruppe {Group} zugewiesen',
  removeGroupLanguagePack: '{who} hat das Sprachpaket {Package} von der Gruppe {Group} entfernt',
  assignGroupSoftwareClass: '{who} hat die Softwareklasse {SoftwareClass} der Gruppe {Group} zugewiesen',
  removeGroupSoftwareClass: '{who} hat die Softwareklasse {SoftwareClass} von der Gruppe {Group} entfernt',
  setDistributionOptions: '{who} hat die Verteiloptionen von {Group} geändert',
  removeDistributionOptions: '{who} hat die Verteiloptionen von {Group} entfernt',
  setGroupDepotServers: '{who} hat die Depotserver von {Group} geändert',
  setGroupVariable: '{who} hat die Variable {Variable} auf {Group} gesetzt',
  createGroupCollectionEntry: '{who} hat auf {Group} einen Eintrag zu {Variable} hinzugefügt',
  updateGroupCollectionEntry: '{who} hat auf {Group} einen Eintrag von {Variable} geändert',
  deleteGroupCollectionEntry: '{who} hat auf {Group} einen Eintrag von {Variable} gelöscht',
  assignGroupVariableConfiguration: '{who} hat der Gruppe {Group} eine Variablenkonfiguration zugewiesen',
  removeGroupVariableConfiguration: '{who} hat eine Variablenkonfiguration von der Gruppe {Group} entfernt',

  createPackageUpload: '{who} hat begonnen, {fileName} hochzuladen',
  deletePackageUpload: '{who} hat einen Upload gelöscht',
  importPackageUpload: '{who} hat aus einem Upload ein Paket erstellt',
  downloadPackage: '{who} hat aus {url} ein Paket erstellt',
  importPackage: '{who} hat ein Paket aus {folderPath} importiert',
  addRepositoryPackage: '{who} hat ein Paket aus einem Repository hinzugefügt',
  setPackageLine: '{who} hat die Linie eines Pakets geändert',
  createPackageUpgrade: '{who} hat die Umstellung auf eine Paketversion gestartet',
  rollBackPackageUpgrade: '{who} hat die Umstellung auf eine Paketversion zurückgenommen',
  deleteUnusedPackages: '{who} hat unbenutzte Pakete gelöscht',
  setPackageTags: '{who} hat die Tags von {Package} geändert',
  setReadyToInstall: ({ body }) =>
    body.operational ? '{who} hat {Package} freigegeben' : '{who} hat die Freigabe von {Package} zurückgenommen',
  generatePackageHash: '{who} hat die Dateien von {Package} geprüft',
  createTag: '{who} hat den Tag {Tag} angelegt',
  updateTag: '{who} hat den Tag {Tag} geändert',
  deleteTag: '{who} hat den Tag {Tag} gelöscht',
  applyCatalog: '{who} hat einen Katalog angewendet',
  applyDesiredState: '{who} hat den Sollzustand eines Dokuments angewendet',

  createRollout: '{who} hat den Rollout {name} gestartet',
  updateRollout: '{who} hat den Rollout {Rollout} geändert',
  pauseRollout: '{who} hat den Rollout {Rollout} angehalten',
  resumeRollout: '{who} hat den Rollout {Rollout} fortgesetzt',
  advanceRollout: '{who} hat den Rollout {Rollout} in den nächsten Ring gebracht',
  cancelRollout: '{who} hat den Rollout {Rollout} abgebrochen',
  retryRollout: '{who} hat die Fehlschläge des Rollouts {Rollout} wiederholt',
  retryTask: '{who} hat die Fehlschläge einer Aufgabe wiederholt',
  retryPackage: '{who} hat die Fehlschläge von {Package} wiederholt',

  createPackageTrial: '{who} hat {Package} auf einem Computer ausprobiert',
  cancelPackageTrial: '{who} hat den Probelauf eines Pakets abgebrochen',
  approvePackageRequest: '{who} hat eine Softwareanfrage genehmigt: {Package}',
  declinePackageRequest: '{who} hat eine Softwareanfrage abgelehnt',

  importPatchCatalog: '{who} hat Patches aus {folderPath} importiert',
  downloadPatch: '{who} hat die Dateien von {Patch} heruntergeladen',
  approvePatch: '{who} hat {Patch} freigegeben',
  revokePatchApproval: '{who} hat die Freigabe von {Patch} zurückgenommen',
  approvePatches: '{who} hat {Patch} freigegeben',
  revokePatches: '{who} hat die Freigaben mehrerer Patches zurückgenommen',
  createPmGroup: '{who} hat die Patch-Gruppe {PmGroup} angelegt',
  updatePmGroup: '{who} hat die Patch-Gruppe {PmGroup} geändert',
  deletePmGroup: '{who} hat die Patch-Gruppe {PmGroup} gelöscht',
  addPmGroupPatches: '{who} hat Patches zu {PmGroup} hinzugefügt',
  removePmGroupPatch: '{who} hat einen Patch aus {PmGroup} entfernt',
  assignPmGroup: '{who} hat {PmGroup} der Gruppe {treeId} zugewiesen',
  removePmGroupAssignment: '{who} hat die Zuweisung von {PmGroup} entfernt',
  startEmergencyPatching: '{who} hat das Notfall-Patchen mit {PmGroup} gestartet',
  stopEmergencyPatching: '{who} hat das Notfall-Patchen mit {PmGroup} beendet',

  importVulnerabilities: '{who} hat Sicherheitsmeldungen aus {folderPath} importiert',
  createVulnerabilityException: '{who} hat eine Ausnahme für eine Schwachstelle hinzugefügt: {reason}',
  deleteVulnerabilityException: '{who} hat die Ausnahme einer Schwachstelle zurückgenommen',

  assignDepotTag: '{who} hat dem Depot {Computer} den Tag {Tag} gegeben',
  removeDepotTag: '{who} hat den Tag {Tag} vom Depot {Computer} entfernt',
  createDepotCredential: '{who} hat Zugangsdaten für das Depot {Computer} erstellt',
  deleteDepotCredential: '{who} hat die Zugangsdaten des Depots {Computer} gesperrt',
  setDepotTopologySetting: ({ body }) =>
    body.isActive
      ? '{who} lässt Tags über die Pakete der Depots entscheiden'
      : '{who} lässt jedes Depot alle Pakete vorhalten',
  triggerSyncJob: '{who} hat Abgleiche von Depots angefordert',

  createEnrolmentToken: '{who} hat das Registrierungstoken {EnrolmentToken} erstellt',
  revokeEnrolmentToken: '{who} hat das Registrierungstoken {EnrolmentToken} gesperrt',
  allowComputerReEnrolment: '{who} hat {Computer} eine erneute Registrierung erlaubt',
  forbidComputerReEnrolment: '{who} hat den Code zur erneuten Registrierung von {Computer} zurückgezogen',
  revokeAgentCredential: '{who} hat den Agenten von {Computer} ausgesperrt',
  confirmQuarantinedAgent: '{who} hat einen Agenten in Quarantäne bestätigt',
  rejectQuarantinedAgent: '{who} hat einen Agenten in Quarantäne abgelehnt',
  designateAgentPackage: '{who} hat {Package} als Agenten neuer Computer bestimmt',
  withdrawAgentPackage: '{who} hat das Agentenpaket für neue Computer zurückgezogen',

  createView: '{who} hat die Ansicht {name} gespeichert',
  updateView: '{who} hat eine gespeicherte Ansicht geändert',
  deleteView: '{who} hat eine gespeicherte Ansicht gelöscht',
  createWebhook: '{who} hat den Webhook {name} angelegt',
  updateWebhook: '{who} hat den Webhook {Webhook} geändert',
  deleteWebhook: '{who} hat den Webhook {Webhook} gelöscht',
  rotateWebhookSecret: '{who} hat das Secret des Webhooks {Webhook} ersetzt',
  replayWebhook: '{who} hat dem Webhook {Webhook} Ereignisse erneut zustellen lassen',

  setMailServer: '{who} hat den Mailserver {host} festgelegt',
  deleteMailServer: '{who} hat den Mailserver entfernt',
  createReport: '{who} hat den Bericht {name} angelegt',
  updateReport: '{who} hat den Bericht {Report} geändert',
  deleteReport: '{who} hat den Bericht {Report} gelöscht',
  runReport: '{who} hat den Bericht {Report} erstellen lassen',
  createLicence: '{who} hat die Lizenz {name} angelegt',
  updateLicence: '{who} hat die Lizenz {Licence} geändert',
  deleteLicence: '{who} hat die Lizenz {Licence} gelöscht',

  setBlastRadius: '{who} hat die Kontingente für zerstörende Aktionen geändert',
  setFreeze: ({ body }) =>
    body.frozen
      ? '{who} hat die Ausgabe von Arbeit angehalten: {reason}'
      : '{who} hat die Ausgabe von Arbeit fortgesetzt',
  approveRequest: '{who} hat eine Anfrage über dem Kontingent genehmigt',
  denyRequest: '{who} hat eine Anfrage über dem Kontingent abgelehnt',
}
