;; Many threads send to one, which counts and sums.

(define (run-fanin senders each)
  (let* ((receiver
          (start
            (lambda ()
              (let loop ((left (* senders each)) (sum 0))
                (if (= left 0) sum (loop (- left 1) (+ sum (thread-receive))))))))
         (threads
          (let loop ((i 0) (threads '()))
            (if (= i senders)
                threads
                (loop (+ i 1)
                      (cons (start
                              (lambda ()
                                (thread-receive)
                                (do ((i 0 (+ i 1))) ((= i each)) (thread-send receiver i))))
                            threads)))))
         (begun (now)))
    (for-each (lambda (thread) (thread-send thread 'begin)) threads)
    (let* ((sum (thread-join! receiver)) (wall (- (now) begun)))
      (ensure "the sum" sum (* senders (sum-below each)))
      wall)))

(define (fanin args)
  (let* ((senders (count-of args "senders" 1000))
         (each (count-of args "messages" 1000))
         (messages (* senders each)))
    (repeat
      (lambda () (run-fanin senders each))
      (lambda (cold warm)
        (list "messages_per_second" (/ messages warm)
              "messages_per_second_cold" (/ messages cold)
              "messages" messages)))))
