import { randomBytes } from 'node:crypto'
import { assignGroupLanguagePack } from '../../../src/features/assignments/api/groups/assign-group-language-pack.ts'
import { assignGroupOsImageSku } from '../../../src/features/assignments/api/groups/assign-group-os-image-sku.ts'
import { assignGroupPackage } from '../../../src/features/assignments/api/groups/assign-group-package.ts'
import { assignGroupPxeBootImage } from '../../../src/features/assignments/api/groups/assign-group-pxe-boot-image.ts'
import { assignGroupSoftwareClass } from '../../../src/features/assignments/api/groups/assign-group-software-class.ts'
import { removeGroupLanguagePack } from '../../../src/features/assignments/api/groups/remove-group-language-pack.ts'
import { removeGroupOsImageSku } from '../../../src/features/assignments/api/groups/remove-group-os-image-sku.ts'
import { removeGroupPackage } from '../../../src/features/assignments/api/groups/remove-group-package.ts'
import { removeGroupPxeBootImage } from '../../../src/features/assignments/api/groups/remove-group-pxe-boot-image.ts'
import { removeGroupSoftwareClass } from '../../../src/features/assignments/api/groups/remove-group-software-class.ts'
import { applyCatalog } from '../../../src/features/catalog/api/apply-catalog.ts'
import { updateComputer } from '../../../src/features/computers/api/update-computer.ts'
import { activateComputer } from '../../../src/features/deployments/api/activation/activate-computer.ts'
import { deactivateComputer } from '../../../src/features/deployments/api/activation/deactivate-computer.ts'
import { uninstallSoftware } from '../../../src/features/deployments/api/activation/uninstall-software.ts'
import { activateGroup } from '../../../src/features/deployments/api/group-activation/activate-group.ts'
import { deactivateGroup } from '../../../src/features/deployments/api/group-activation/deactivate-group.ts'
import { cancelSoftwareReinstall } from '../../../src/features/deployments/api/requests/cancel-software-reinstall.ts'
import { rebootComputer } from '../../../src/features/deployments/api/requests/reboot-computer.ts'
import { requestSoftwareReinstall } from '../../../src/features/deployments/api/requests/request-software-reinstall.ts'
import { setDistributionOptions } from '../../../src/features/distribution/api/set-distribution-options.ts'
import type { DistributionCommand } from '../../../src/features/distribution/commands.ts'
import { moveGroup } from '../../../src/features/group-moves/api/move-group.ts'
import { addGroupComputers } from '../../../src/features/groups/api/add-group-computers.ts'
import { deleteGroup } from '../../../src/features/groups/api/delete-group.ts'
import { removeGroupComputers } from '../../../src/features/groups/api/remove-group-computers.ts'
import { confirmOsInstallation } from '../../../src/features/os-deployment/api/confirm-os-installation.ts'
import { getOsInstallation } from '../../../src/features/os-deployment/api/get-os-installation.ts'
import { setReadyToInstall } from '../../../src/features/packages/api/set-ready-to-install.ts'
import type { Bits, Target } from './groups.ts'
import type { DeploymentModel } from './model.ts'
import type { Objects } from './objects.ts'
import { kindOf, type Options, operatingSystem } from './packages.ts'

/** What people ask the service for. */
export function requestsTo(objects: Objects) {
  const { world, softwareClass, groupIds, newGroup, computerId, packageId, groupId, pxeId, skuId, pendingReinstalls } =
    objects
  const { as, db, given } = world
  const [operator, writer, reader] = [as('activation.execute'), as('group.write'), as('computer.read')]
  return {
    async assign(group: number, one: number) {
      const input = { params: { id: groupId(group) }, body: { packageId: packageId(one) } }
      const { status, problem } =
        kindOf(one) === 'LanguagePack'
          ? await writer.call(assignGroupLanguagePack, input)
          : await writer.call(assignGroupPackage, input)
      return problem ?? status
    },
    async assignClass(group: number) {
      const body = { classId: softwareClass.id }
      return (await writer.call(assignGroupSoftwareClass, { params: { id: groupId(group) }, body })).status
    },
    async unassignClass(group: number) {
      const params = { id: groupId(group), classId: softwareClass.id }
      const { status, problem } = await writer.call(removeGroupSoftwareClass, { params })
      return problem ?? status
    },
    async setClass(content: readonly number[]) {
      const softwareClasses = [{ name: softwareClass.name, packages: content.map(packageId) }]
      return (await as('package.write').call(applyCatalog, { body: { catalog: { softwareClasses } } })).status
    },
    async unassign(group: number, one: number) {
      const params = { id: groupId(group), packageId: packageId(one) }
      const operation = kindOf(one) === 'LanguagePack' ? removeGroupLanguagePack : removeGroupPackage
      const { status, problem } = await writer.call(operation, { params })
      return problem ?? status
    },
    async assignBootImage(group: number, image: number) {
      const body = { pxeId: pxeId(image) }
      return (await writer.call(assignGroupPxeBootImage, { params: { id: groupId(group) }, body })).status
    },
    async unassignBootImage(group: number, image: number) {
      const params = { id: groupId(group), pxeId: pxeId(image) }
      const { status, problem } = await writer.call(removeGroupPxeBootImage, { params })
      return problem ?? status
    },
    async assignEdition(group: number, edition: number) {
      const body = { packageId: packageId(operatingSystem), skuId: skuId(edition) }
      return (await writer.call(assignGroupOsImageSku, { params: { id: groupId(group) }, body })).status
    },
    async unassignEdition(group: number, edition: number) {
      const params = { id: groupId(group), skuId: skuId(edition) }
      const { status, problem } = await writer.call(removeGroupOsImageSku, { params })
      return problem ?? status
    },
    async setOptions(group: number, one: number | null, { mode, offer, revokeCount }: Options) {
      const query = one === null ? {} : { packageId: packageId(one) }
      const commands = mode.split(', ') as DistributionCommand[]
      const optionalDate = offer === 'UntilDate' ? new Date(Date.now() + 3_600_000).toISOString() : null
      const { status, problem } = await writer.call(setDistributionOptions, {
        params: { id: groupId(group) },
        query,
        body: { commands, optionalDate, revokeCount },
      })
      return problem ?? status
    },
    async activate(target: Target, global: boolean, bits: Bits) {
      const body = { ...bits, global }
      const answer =
        'computer' in target
          ? await operator.call(activateComputer, { params: { id: computerId(target.computer) }, body })
          : await operator.call(activateGroup, { params: { id: groupId(target.group) }, body })
      return answer.problem ?? answer.body.trackingId !== null
    },
    async deactivate(target: Target, global: boolean, cleared: Bits) {
      const query = { ...cleared, global }
      const answer =
        'computer' in target
          ? await operator.call(deactivateComputer, { params: { id: computerId(target.computer) }, query })
          : await operator.call(deactivateGroup, { params: { id: groupId(target.group) }, query })
      return answer.problem ?? answer.body.cancelledWork
    },
    async setPxeSupport(computer: number, pxeSupport: boolean) {
      const input = { params: { id: computerId(computer) }, body: { pxeSupport } }
      return (await as('computer.write').call(updateComputer, input)).status
    },
    async uninstall(computer: number, one: number) {
      const input = { params: { id: computerId(computer) }, body: { packageId: packageId(one) } }
      const answer = await operator.call(uninstallSoftware, input)
      return answer.problem ?? groupIds.indexOf(answer.body.groupId)
    },
    async reinstall(computer: number, one: number) {
      const input = { params: { id: computerId(computer) }, body: { packageId: packageId(one) } }
      const answer = await as('reinstall.execute').call(requestSoftwareReinstall, input)
      return answer.problem ?? groupIds.indexOf(answer.body.parentGroupId)
    },
    async reboot(computer: number) {
      const { status, problem } = await as('reboot.execute').call(rebootComputer, {
        params: { id: computerId(computer) },
        body: {},
      })
      return problem ?? status
    },
    async cancelReinstall(computer: number, one: number) {
      const pending = (await pendingReinstalls(computer)).find(({ softwareId }) => softwareId === packageId(one))
      const query = { reinstallGroupId: pending?.reinstallGroupId ?? groupId(0) }
      const input = { params: { id: computerId(computer) }, query }
      const { status, problem } = await as('reinstall.execute').call(cancelSoftwareReinstall, input)
      return problem ?? status
    },
    async replaceGroup(group: number, { members, parents }: Pick<DeploymentModel, 'members' | 'parents'>) {
      const { status } = await writer.call(deleteGroup, { params: { id: groupId(group) }, query: { force: true } })
      groupIds[group] = await newGroup(group, parents[group] ?? null, [...(members[group] ?? [])])
      return status
    },
    async join(computer: number, group: number) {
      const body = { computerIds: [computerId(computer)] }
      return (await writer.call(addGroupComputers, { params: { id: groupId(group) }, body })).body.results[0]?.status
    },
    async leave(computer: number, group: number) {
      const query = { computerIds: [computerId(computer)] }
      return (await writer.call(removeGroupComputers, { params: { id: groupId(group) }, query })).body.results[0]
        ?.status
    },
    async move(parent: number | null) {
      const parentId = parent === null ? (await given.root('AssignmentGroups')).id : groupId(parent)
      return (await writer.call(moveGroup, { params: { id: groupIds.at(-1) ?? '' }, body: { parentId } })).status
    },
    async setReady(one: number, operational: boolean) {
      await as('package.write').call(setReadyToInstall, { params: { id: packageId(one) }, body: { operational } })
    },
    async importContent(one: number) {
      await db
        .updateTable('packages')
        .set({ content_hash: randomBytes(32) })
        .where('id', '=', packageId(one))
        .execute()
    },
    async confirmInstallation(computer: number) {
      const params = { id: computerId(computer) }
      const [request] = (await reader.call(getOsInstallation, { params })).body.bootRequests
      const body = { address: request?.address ?? '192.0.2.1' }
      const { status, problem } = await operator.call(confirmOsInstallation, { params, body })
      return problem ?? status
    },
  }
}
