;; Two threads send a counter to and fro.

(define (pong)
  (let ((pinger (thread-receive)))
    (let loop ((counted 0))
      (let ((i (thread-receive)))
        (if (>= i 0)
            (begin
              (thread-send pinger i)
              (loop (+ counted 1)))
            counted)))))

(define (ping ponger rounds)
  (thread-send ponger (current-thread))
  (do ((i 0 (+ i 1)))
      ((= i rounds) rounds)
    (thread-send ponger i)
    (ensure "the number of a pong" (thread-receive) i)))

(define (run-pingpong rounds)
  (let* ((ponger (start pong))
         (begun (now))
         (pongs (thread-join! (start (lambda () (ping ponger rounds)))))
         (wall (- (now) begun)))
    (thread-send ponger -1)
    (ensure "pings" (thread-join! ponger) rounds)
    (ensure "pongs" pongs rounds)
    wall))

(define (pingpong args)
  (let ((rounds (count-of args "rounds" 1000000)))
    (repeat
      (lambda () (run-pingpong rounds))
      (lambda (cold warm)
        (list "ns_per_round" (/ (* 1e9 warm) rounds)
              "ns_per_round_cold" (/ (* 1e9 cold) rounds)
              "messages" (* 2 rounds))))))
