import type { AutomationObject } from '../com/automation.ts'
import { asNumber, isObject, using } from '../com/members.ts'

/** Creates an automation object by the name of its class. */
export type CreateObject = (program: string) => AutomationObject

/** What became of an update: an OperationResultCode, and the code of the error. */
export type UpdateResult = { resultCode: number; hresult: number; needsRestart: boolean }

export const succeeded = 2

/** One at a time so that the result of each is known and one that fails does not stop the others. */
export async function installUpdate(
  create: CreateObject,
  session: AutomationObject,
  update: AutomationObject,
): Promise<UpdateResult> {
  if (await canAskUser(update)) throw new Error('It may ask for input, and nobody sees what a service asks.')
  const list = create('Microsoft.Update.UpdateColl')
  try {
    if ((await update.get('EulaAccepted')) === false) await update.call('AcceptEula')
    await list.call('Add', update.pointer)
    const downloaded = await using(session.call('CreateUpdateDownloader'), (downloader) =>
      resultOf(downloader, 'Download', list),
    )
    if (downloaded.resultCode !== succeeded) return downloaded
    return await using(session.call('CreateUpdateInstaller'), async (installer) => {
      if ((await installer.get('RebootRequiredBeforeInstallation')) === true)
        throw new Error('Windows must be restarted before it installs updates.')
      return resultOf(installer, 'Install', list)
    })
  } finally {
    list.release()
  }
}

/** A bundle of updates has no behavior of its own. */
async function canAskUser(update: AutomationObject): Promise<boolean> {
  const behavior = await update.get('InstallationBehavior')
  return isObject(behavior) && using(behavior, async (one) => (await one.get('CanRequestUserInput')) === true)
}

/** The result of the only update of the list: that of the whole list says only that all of them have failed. */
async function resultOf(
  worker: AutomationObject,
  action: 'Download' | 'Install',
  list: AutomationObject,
): Promise<UpdateResult> {
  await worker.set('Updates', list.pointer)
  return using(worker.call(action), (whole) =>
    using(whole.call('GetUpdateResult', 0), async (result) => ({
      resultCode: asNumber(await result.get('ResultCode')) ?? 0,
      hresult: asNumber(await result.get('HResult')) ?? 0,
      needsRestart: action === 'Install' && (await result.get('RebootRequired')) === true,
    })),
  )
}
