import type { Api } from './api.ts'
import { type Groups, groupId, pilot } from './groups.ts'
import { type Packages, packageId } from './packages.ts'

export const pausedRollout = 'Time Tracker 9.1'

/** A rollout in progress, one that pauses itself because its package fails everywhere, and the upgrade of a package. */
export async function startRollouts(api: Api, groups: Groups, packages: Packages): Promise<void> {
  await startBrowserRollout(api, groups, packages)
  const america = groupId(groups.configuration, 'America')
  const tracker = packageId(packages, 'time-tracker-9.1')
  await api.post(`/api/group/${america}/packages`, { packageId: tracker })
  await api.post('/api/rollouts', {
    name: pausedRollout,
    groupId: america,
    packageId: tracker,
    // A site: of a share of the computers, chosen by chance, none might be able to work, and then none would fail.
    rings: [{ name: 'Pilot', groupId: groupId(groups.configuration, 'America/Austin') }, { name: 'Everybody' }],
    criteria: { soakMinutes: 60, minResults: 3, maxFailurePercent: 10 },
  })
  await startFontsUpgrade(api, groups, packages)
}

/** A site gets the new version of a package, and all others of its group keep the one before for a day. */
async function startFontsUpgrade(api: Api, groups: Groups, packages: Packages): Promise<void> {
  await api.post(`/api/packages/${packageId(packages, 'office-fonts-3.2')}/upgrade`, {
    groupIds: [groupId(groups.configuration, 'America')],
    rings: [{ name: 'Pilot', groupId: groupId(groups.configuration, 'America/Austin') }, { name: 'Everybody' }],
    criteria: { soakMinutes: 1440 },
  })
}

/** The pilot ring gets a browser and soaks for a day, all others follow in the nights. */
async function startBrowserRollout(api: Api, groups: Groups, packages: Packages): Promise<void> {
  const europe = groupId(groups.configuration, 'Europe')
  const browser = packageId(packages, 'browser-131.0')
  await api.post(`/api/group/${europe}/packages`, { packageId: browser })
  const nights = { days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'], start: '20:00', durationMinutes: 480 }
  await api.post('/api/rollouts', {
    name: 'Browser 131.0',
    groupId: europe,
    packageId: browser,
    rings: [
      { name: 'Pilot', groupId: groupId(groups.assignment, pilot) },
      { name: 'Early', percent: 20, windows: [nights] },
      { name: 'Everybody', releaseMinutes: 3 * 1440, windows: [nights] },
    ],
    criteria: { soakMinutes: 1440, minResults: 3, maxFailurePercent: 40 },
    deadlineUtc: new Date(Date.now() + 21 * 86_400_000).toISOString(),
    userDeadline: {
      afterHours: 48,
      latestUtc: null,
      maxPostponements: 2,
      quietHours: null,
      closePrograms: ['firefox', 'firefox.exe'],
      noticeMinutes: 10,
    },
  })
}

/** The only domain controller of a site: no ring may contain it. */
export async function protectServer(api: Api, serverId: number): Promise<void> {
  const tagIds: number[] = []
  for (const designation of ['site:Berlin', 'protected:domain-controller']) {
    const { id } = await api.post<{ id: number }>('/api/tags', { designation })
    tagIds.push(id)
  }
  await api.put(`/api/computer/${serverId}/tags`, { tagIds })
}
