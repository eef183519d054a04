import { purgeHandOutTurns } from './channels/agent/hand-out-turns.ts'
import { purgeUnboundDevices } from './channels/fusion/devices/purge-unbound-devices.ts'
import { purgeUnreferencedParts } from './channels/fusion/jobs/file-parts.ts'
import { anchorAuditTrail } from './features/audit/jobs/anchor-audit-trail.ts'
import { auditEndedRepeats } from './features/audit/jobs/audit-ended-repeats.ts'
import { expireApprovals } from './features/blast-radius/stored-approvals.ts'
import { purgeComputerChanges } from './features/computers/computer-changes.ts'
import { convergeGroups } from './features/convergence/jobs/converge-groups.ts'
import { purgeDrifts } from './features/convergence/repair-drifts.ts'
import { addUpTaskChanges } from './features/deployments/jobs/add-up-task-changes.ts'
import { endOffers } from './features/deployments/jobs/end-offers.ts'
import { makeSlices } from './features/deployments/jobs/make-slices.ts'
import { purgeTasks } from './features/deployments/jobs/purge-tasks.ts'
import { dropEventDays } from './features/events/jobs/drop-event-days.ts'
import { sequenceEvents } from './features/events/jobs/sequence-events.ts'
import { recordHistory, refreshGauges } from './features/fleet-history/jobs/record-samples.ts'
import { followGroupRules } from './features/groups/jobs/follow-group-rules.ts'
import { purgeUnreferencedEntries } from './features/inventory/dictionaries.ts'
import { refreshStatistics } from './features/issues/jobs/refresh-statistics.ts'
import { trackIssues } from './features/issues/jobs/track-issues.ts'
import { purgeUpgrades } from './features/package-lines/jobs/purge-upgrades.ts'
import { endExpiredTrials } from './features/package-trials/cancel-trial.ts'
import { purgeTrials } from './features/package-trials/jobs/purge-trials.ts'
import { runUploadImport } from './features/package-uploads/jobs/import-upload.ts'
import { purgeUploads } from './features/package-uploads/jobs/purge-uploads.ts'
import { runPackageHash } from './features/packages/jobs/package-hash.ts'
import { runPackageImport } from './features/packages/jobs/package-import.ts'
import { purgeUnreferencedContent } from './features/packages/jobs/purge-content.ts'
import { openPatchRings } from './features/patch-policies/jobs/open-rings.ts'
import { restartForPolicies } from './features/patch-policies/jobs/restart-for-policies.ts'
import { maintainDownloads } from './features/patches/jobs/maintain-downloads.ts'
import { runPatchDownload } from './features/patches/jobs/patch-download.ts'
import { runPatchImport } from './features/patches/jobs/patch-import.ts'
import { purgeReportedPatches } from './features/patches/jobs/purge-reported-patches.ts'
import { makeReports } from './features/reports/jobs/make-reports.ts'
import { continueRollouts, purgeRollouts } from './features/rollouts/jobs/unfinished-rollouts.ts'
import { followInventories } from './features/vulnerabilities/jobs/follow-inventories.ts'
import { runVulnerabilityImport } from './features/vulnerabilities/jobs/vulnerability-import.ts'
import { sendWakeUps } from './features/wake-on-lan/jobs/send-wake-ups.ts'
import { deliverToWebhooks } from './features/webhooks/jobs/deliver.ts'
import { type JobHandlers, startJobRunner } from './jobs/job-runner.ts'
import { type PeriodicTask, startScheduler } from './jobs/scheduler.ts'
import { openServerKeys, type ServerKeys } from './platform/authentication/server-keys.ts'
import { probeLane } from './platform/health/lane-probe.ts'
import { type Activity, openActivity } from './platform/load/activity.ts'
import { isDatabaseBusy } from './platform/load/database-load.ts'
import { purgeRateLimits } from './platform/load/rate-limit.ts'
import type { ServiceParts } from './serve.ts'

/** The handler of each queue. */
export const jobHandlers: JobHandlers = {
  'package-import': runPackageImport,
  'package-hash': runPackageHash,
  'patch-import': runPatchImport,
  'patch-download': runPatchDownload,
  'package-upload': runUploadImport,
  'vulnerability-import': runVulnerabilityImport,
}

const hour = 3_600
const tenMinutes = 600
const minute = 60

/** What repeats for as long as the service runs. */
export function periodicTasks(
  { database, configuration, logger }: ServiceParts,
  keys: ServerKeys,
  activity: Activity,
): PeriodicTask[] {
  const { db } = database.lanes.background
  return [
    {
      name: 'purge old tasks',
      intervalSeconds: hour,
      run: (signal) => purgeTasks(db, configuration.taskRetentionDays, signal),
    },
    {
      name: 'add up the progress of tasks',
      intervalSeconds: 10,
      idleIntervalSeconds: 60,
      run: (signal) => addUpTaskChanges(db, signal).then(() => undefined),
    },
    { name: 'purge superseded changes of computers', intervalSeconds: hour, run: () => purgeComputerChanges(db) },
    { name: 'purge past turns of agents', intervalSeconds: hour, run: () => purgeHandOutTurns(db) },
    { name: 'purge agents without a computer', intervalSeconds: hour, run: () => purgeUnboundDevices(db) },
    { name: 'purge unreferenced file parts', intervalSeconds: hour, run: () => purgeUnreferencedParts(db) },
    {
      name: 'purge unreferenced package content',
      intervalSeconds: hour,
      run: (signal) => purgeUnreferencedContent(db, configuration.packageStore, signal),
    },
    {
      name: 'purge expired uploads',
      intervalSeconds: minute,
      idleIntervalSeconds: tenMinutes,
      runsAtStart: true,
      run: () => purgeUploads(db, configuration.packageStore),
    },
    {
      name: 'request downloads of patches',
      intervalSeconds: hour,
      runsAtStart: true,
      run: () => maintainDownloads(db, configuration),
    },
    {
      name: 'purge patches that no computer reports',
      intervalSeconds: hour,
      run: (signal) => purgeReportedPatches(db, signal),
    },
    {
      name: 'purge unreferenced software',
      intervalSeconds: hour,
      run: (signal) => purgeUnreferencedEntries(db, signal),
    },
    { name: 'purge past rate limit counts', intervalSeconds: tenMinutes, run: () => purgeRateLimits(db) },
    {
      name: 'end offers of optional packages',
      intervalSeconds: minute,
      idleIntervalSeconds: tenMinutes,
      run: (signal) => endOffers(db, signal),
    },
    { name: 'end trials that were not begun', intervalSeconds: minute, run: () => endExpiredTrials(db) },
    { name: 'purge old trials', intervalSeconds: hour, run: () => purgeTrials(db, configuration.taskRetentionDays) },
    { name: 'end the wait for approvals', intervalSeconds: minute, run: () => expireApprovals(db) },
    { name: 'audit repeated requests', intervalSeconds: tenMinutes, run: () => auditEndedRepeats(db) },
    {
      name: 'anchor the audit trail',
      intervalSeconds: minute,
      runsAtStart: true,
      run: (signal) => anchorAuditTrail(db, configuration, signal).then(() => undefined),
    },
    {
      name: 'purge ended rollouts',
      intervalSeconds: hour,
      run: () => purgeRollouts(db, configuration.taskRetentionDays),
    },
    {
      name: 'purge ended upgrades of packages',
      intervalSeconds: hour,
      run: () => purgeUpgrades(db, configuration.taskRetentionDays),
    },
    { name: 'purge old drifts of software', intervalSeconds: hour, run: () => purgeDrifts(db) },
    {
      name: 'drop old events',
      intervalSeconds: hour,
      runsAtStart: true,
      run: () => dropEventDays(db, configuration.eventRetentionDays),
    },
    sequenceEvents(db, activity),
    trackIssues(database.lanes.longWork.db),
    followInventories(database.lanes.longWork.db),
    deliverToWebhooks({ db, keys, settings: configuration }),
    makeReports({ db: database.lanes.longWork.db, keys, settings: configuration }),
    refreshStatistics(database.lanes.longWork.db),
    continueRollouts(database.lanes.longWork.db),
    ...[openPatchRings, restartForPolicies].map((task) => task(database.lanes.longWork.db)),
    convergeGroups(database.lanes.longWork.db, configuration),
    followGroupRules(database.lanes.longWork.db),
    recordHistory(database.lanes.longWork.db),
    refreshGauges(database.lanes.longWork.db),
    sendWakeUps({ db, settings: configuration, logger }, activity),
    makeSlices({ db, logger, isBusy: () => isDatabaseBusy(database.lanes, 'background') }),
  ]
}

type BackgroundOptions = {
  /** Called once a second, as long as jobs and periodic tasks work. */
  recordJobBeat?: () => void
  /** What happens on this node. */
  activity?: Activity
}

/** Not less often: the service has to be ready again within five seconds of a fault. */
const beatSeconds = 1
/** A lane that has answered this lately needs no probe. Periodic tasks ask it each second, even while nothing happens. */
const maxAnswerAgeMs = 1_500

/** Starts the job runner and the periodic tasks. */
export async function startBackground(parts: ServiceParts, options: BackgroundOptions = {}) {
  const { recordJobBeat = () => {}, activity = openActivity() } = options
  const jobs = await startJobRunner({ ...parts, handlers: jobHandlers })
  const lane = parts.database.lanes.background
  // A failure is the absence of a sign, which the health check reports.
  const doesLaneAnswer = async () =>
    lane.connections.hasAnsweredWithin(maxAnswerAgeMs) ||
    probeLane(lane, 'select 1').then(
      () => true,
      () => false,
    )
  const beat: PeriodicTask = {
    name: 'show that jobs run',
    intervalSeconds: beatSeconds,
    runsAtStart: true,
    async run() {
      if ((await doesLaneAnswer()) && jobs.isActive()) recordJobBeat()
      return undefined
    },
  }
  const keys = await openServerKeys(lane.db, parts.configuration.keyFile)
  const scheduler = startScheduler([...periodicTasks(parts, keys, activity), beat], parts.logger, activity)
  return {
    async stop() {
      await Promise.all([scheduler.stop(), jobs.stop()])
    },
  }
}

export type Background = Awaited<ReturnType<typeof startBackground>>
