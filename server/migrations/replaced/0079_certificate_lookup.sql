-- Whether a certificate belongs to a device is asked before the message that names the device is read.
create index fusion_devices_certificate_hash_idx on fusion_devices (certificate_hash) where certificate_hash is not null;
