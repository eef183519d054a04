-- One spelling of MAC addresses: 00:1B:44:11:3A:B7. Addresses were stored as they were entered or reported.

update computers set mac_address = upper(regexp_replace(mac_key, '(..)(?=.)', '\1:', 'g'))
where mac_key ~ '^[0-9a-f]{12}$'
  and mac_address is distinct from upper(regexp_replace(mac_key, '(..)(?=.)', '\1:', 'g'));

update network_adapters
set mac_address = upper(regexp_replace(regexp_replace(mac_address, '[:.[:space:]-]', '', 'g'), '(..)(?=.)', '\1:', 'g'))
where mac_address !~ '^[0-9A-F]{2}(:[0-9A-F]{2})+$'
  and regexp_replace(mac_address, '[:.[:space:]-]', '', 'g') ~* '^([0-9a-f]{2}){6,}$';
