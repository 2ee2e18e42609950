-- The gateways that count together. KEYS[1] is a sorted set: each gateway by when it was last here, in milliseconds
-- of this server's clock. ARGV: gateway, lifetime of an entry (0: it leaves).
-- Answers { now, { gateway, last here, gateway, last here, … } }.
local gateway, lifetime = ARGV[1], tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if lifetime == 0 then
  redis.call('ZREM', KEYS[1], gateway)
else
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - lifetime)
  redis.call('ZADD', KEYS[1], now, gateway)
  redis.call('PEXPIRE', KEYS[1], lifetime)
end
return { now, redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES') }
